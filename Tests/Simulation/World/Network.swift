import HTTP
import TandemItems
import Wire

/// One message on its way to the hub and back.
final class Exchange: @unchecked Sendable {
    let request: Request
    let replica: SimulatedReplica
    private let continuation: CheckedContinuation<Result<Response, TransportError>, Never>
    private(set) var isOver = false

    init(
        _ request: Request, _ replica: SimulatedReplica,
        _ continuation: CheckedContinuation<Result<Response, TransportError>, Never>
    ) {
        self.request = request
        self.replica = replica
        self.continuation = continuation
    }

    func end(_ result: Result<Response, TransportError>) {
        guard !isOver else { return }
        isOver = true
        continuation.resume(returning: result)
    }
}

/// Carries messages, late, twice or not at all.
final class Network: @unchecked Sendable {
    private unowned let world: World
    /// Replicas that reach no hub, until when.
    var partitions: [Int: Int64] = [:]
    /// Until when everybody is answered that the protocol is too old.
    var isRaisedUntil: Int64 = 0
    /// What first syncs and pulls cost, in bytes of bodies.
    var changesBytes = 0

    init(_ world: World) { self.world = world }

    func isCut(_ replica: SimulatedReplica) -> Bool {
        !world.isCalm && partitions[replica.index, default: 0] > world.time
    }

    private func latency() -> Int64 {
        if world.strikes(.delayed) { return Int64(200 + world.random.below(20_000)) }
        return Int64(1 + world.random.below(12))
    }

    func send(_ exchange: Exchange) {
        if exchange.replica.storage.isInTransaction {
            world.violate(.noTransactionAcrossNetwork, "replica \(exchange.replica.index) sent \(exchange.request.target)")
        }
        world.note("replica \(exchange.replica.index) sends \(exchange.request.target)")
        guard !isCut(exchange.replica) else {
            return fail(exchange, .unreachable, after: world.random.chance(50) ? 5 : 10_000)
        }
        if world.strikes(.requestLost) { return fail(exchange, .interrupted, after: brokenAfter()) }
        world.after(latency()) { [self] in deliver(exchange) }
        if world.strikes(.doubled) { world.after(latency()) { [self] in deliverAgain(exchange) } }
    }

    /// A connection that breaks is noticed at once, or once nothing has moved for 30 s.
    private func brokenAfter() -> Int64 { world.random.chance(60) ? Int64(1 + world.random.below(20)) : 30_000 }

    private func fail(_ exchange: Exchange, _ code: TransportError.Code, after delay: Int64) {
        world.note("replica \(exchange.replica.index) will not be answered \(exchange.request.target)")
        world.after(delay) { exchange.end(.failure(TransportError(code, "simulated"))) }
    }

    private func deliver(_ exchange: Exchange) {
        guard world.hub.isUp, !isCut(exchange.replica) else {
            return fail(exchange, .unreachable, after: brokenAfter())
        }
        if let refusal = refusal() { return answer(exchange, refusal) }
        world.hub.handle(exchange.request) { [self] response in
            guard let response, !isCut(exchange.replica), !world.strikes(.answerLost) else {
                return fail(exchange, .interrupted, after: brokenAfter())
            }
            answer(exchange, response)
        }
    }

    /// The request comes a second time; nobody waits for what is answered.
    private func deliverAgain(_ exchange: Exchange) {
        guard world.hub.isUp else { return }
        world.hub.handle(exchange.request) { _ in }
    }

    private func answer(_ exchange: Exchange, _ response: Response) {
        var response = response
        if exchange.request.path.last == "changes" { changesBytes += response.bytes.count }
        if response.status == .ok, world.strikes(.truncated) {
            response.body = .bytes(Array(response.bytes.prefix(world.random.below(response.bytes.count + 1))))
        }
        world.after(latency()) { exchange.end(.success(response)) }
    }

    /// What stands between: a proxy that is busy or dislikes the size, or a hub that has moved on.
    private func refusal() -> Response? {
        if !world.isCalm, isRaisedUntil > world.time {
            return Response(Failure(.upgradeRequired, code: "upgrade-required", "simulated"))
        }
        guard world.strikes(.turnedAway) else { return nil }
        switch world.random.below(4) {
        case 0: return Response(Failure(.unavailable, code: "failed", "simulated", retryAfterSeconds: 5))
        case 1: return Response(Status(502), headers: ["Content-Type": "text/html"], body: .bytes(Array("no".utf8)))
        case 2: return Response(.ok, headers: ["Content-Type": "text/html"], body: .bytes(Array("sign in".utf8)))
        default: return Response(Failure(.internalServerError, code: "failed", "simulated"))
        }
    }
}

/// A replica's way to the hub.
struct SimulatedTransport: Transport {
    let world: World
    let process: ReplicaProcess

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard process.isAlive, !Task.isCancelled else { throw TransportError(.cancelled, "ended") }
        let result = await withCheckedContinuation { continuation in
            let exchange = Exchange(request, process.replica, continuation)
            process.exchanges.append(exchange)
            world.network.send(exchange)
        }
        process.exchanges.removeAll(where: \.isOver)
        return try result.get()
    }

    /// Event streams are simulated as a whole, by ``SimulatedHub``.
    func open(_ request: Request) async throws(TransportError) -> Response {
        throw TransportError(.unreachable, "event streams are simulated elsewhere")
    }
}
