package import HTTP
package import Platform
import Synchronization
import TandemItems
import Wire

/// The hub: orders, merges and serves the changes of its lists. A plain handler; it knows no socket and no database.
///
/// Any number of requests may run at once. A push is one write transaction of the storage, which also allocates its
/// sequences; an answer leaves only after its commit.
package final class HubService: Handler {
    let storage: any HubStorage
    let time: any TimeSource
    let feed = HeadFeed()
    let metrics = HubMetrics()
    private let log: Logger
    private let epoch: Mutex<Epoch>
    private let settings: Mutex<HubConfiguration>

    /// Reads the store once. Throws ``HubStorageError``.
    package init(
        storage: any HubStorage, configuration: HubConfiguration = HubConfiguration(),
        time: any TimeSource = SystemTime(), log: Logger = .silent
    ) async throws {
        self.storage = storage
        settings = Mutex(configuration)
        self.time = time
        self.log = log
        epoch = Mutex(try await storage.read { try $0.epoch() })
    }

    /// Keeps event streams alive until the task is cancelled.
    package func run() async throws {
        while true {
            try await time.sleep(for: configuration.heartbeat)
            feed.beat()
        }
    }

    /// What holds for the next request.
    var configuration: HubConfiguration { settings.withLock(\.self) }

    /// Changes what holds from the next request on.
    package func reconfigure(_ configuration: HubConfiguration) {
        settings.withLock { $0 = configuration }
    }

    /// Hub time.
    var now: Timestamp { Timestamp(milliseconds: time.now) }

    package func respond(to request: Request) async -> Response {
        let start = time.monotonic
        let route = Result { () throws(Failure) in try HubRoute(request) }
        let response = await answer(request, route)
        metrics.count(route, response.status)
        log.info(
            "request",
            [
                "method": request.method.rawValue, "path": request.path.prefix(2).joined(separator: "/"),
                "status": response.status.code, "bytes": response.bytes.count,
                "ms": (time.monotonic - start).milliseconds,
            ])
        return response
    }

    private func answer(_ request: Request, _ route: Result<HubRoute, Failure>) async -> Response {
        do {
            try checkProtocol(request)
            switch try route.get() {
            case .hello: return try await hello(request)
            case .push(let list, let seen): return try await push(request, to: list, seen: seen)
            case .changes(let list, let cursor, let limit):
                return try await changes(request, in: list, since: cursor, limit: limit)
            case .events: return try await events(request)
            case .history(let list, let item): return try await history(request, of: item, in: list)
            case .digest(let list): return try await digest(request, of: list)
            case .health: return try await health()
            case .metrics: return try await metrics(request)
            }
        } catch {
            var response = Response(failure(for: error), with: envelope)
            // Which a 401 has to carry (RFC 9110, section 11.6.1).
            if response.status == .unauthorized { response.headers["WWW-Authenticate"] = "Bearer" }
            return response
        }
    }

    /// What every answer carries.
    var envelope: JSONObject {
        [
            "hub_time": .int(now.milliseconds), "epoch": .string(epoch.withLock(\.self).text),
            "protocol": ["min": .int(Int64(Self.protocols.lowerBound)), "max": .int(Int64(Self.protocols.upperBound))],
        ]
    }

    /// The protocol versions that this hub understands.
    static let protocols = Hello.protocolVersion...Hello.protocolVersion

    /// Takes over the epoch that a transaction saw: a restore may have begun a new one.
    func note(_ epoch: Epoch) {
        self.epoch.withLock { $0 = epoch }
    }

    /// An answer with the envelope's members behind its own.
    func reply(_ object: JSONObject) -> Response {
        var object = object
        for (key, value) in envelope.members { object[key] = value }
        return Response(.ok, json: .object(object))
    }

    private func checkProtocol(_ request: Request) throws {
        guard let header = request.headers[HubHeader.protocolVersion] else { return }
        guard let version = Int(header), Self.protocols.contains(version) else {
            throw Failure(
                .upgradeRequired, code: "upgrade-required",
                "this hub speaks protocol \(Self.protocols.lowerBound) to \(Self.protocols.upperBound), not \(header)",
                hint: "upgrade the older of the two programs")
        }
    }

    private func failure(for error: any Error) -> Failure {
        switch error {
        case let failure as Failure: return failure
        case let error as HubStorageError where error.code == .full:
            log.error("the store is full", ["error": error.message])
            return Failure(
                .insufficientStorage, code: "disk-full", "the hub's disk is full; nothing was changed",
                hint: "the hub's operator must make room", retryAfterSeconds: 30)
        default:
            log.error("the request failed", ["error": "\(error)"])
            return Failure(.unavailable, code: "failed", "the hub could not do this now", retryAfterSeconds: 5)
        }
    }

    private func health() async throws -> Response {
        note(try await storage.read { try $0.epoch() })
        return reply(["status": "ok"])
    }

    private func hello(_ request: Request) async throws -> Response {
        let now = now
        let configuration = configuration
        let hello = try await storage.read { store in
            let access = try Access(request, in: store, now: now)
            return Hello(
                name: configuration.name, epoch: try store.epoch(), protocols: Self.protocols,
                limits: configuration.limits, grants: try access.grants(in: store), time: now,
                writers: try store.replicaNames())
        }
        note(hello.epoch)
        return reply(hello.json)
    }

    private func history(_ request: Request, of item: ItemID, in list: ListName) async throws -> Response {
        let now = now
        let (epoch, entries) = try await storage.read { store in
            _ = try Access(request, in: store, now: now).list(list, as: .reader, in: store)
            return (try store.epoch(), try store.history(of: item, in: list))
        }
        note(epoch)
        return reply(["item": .string(item.text), "entries": .array(entries.map(\.json))])
    }
}
