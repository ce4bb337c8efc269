package import HTTP
package import Platform
package import Sync
import TandemItems
import Wire

/// The daemon's local API: what the command line, apps and `curl --unix-socket` talk to. A plain handler over the
/// core model; edits answer once they are stored here, whatever the network does.
package final class DaemonService: Handler {
    /// What the service tells of the process that it runs in.
    package struct Identity: Sendable {
        /// The directory of the store.
        package var store: String
        package var version: String
        /// The user that the daemon runs as: only that user and root may use the socket,
        package var user: UInt32
        /// unless the socket is open to a group; then the file's mode decides.
        package var isOpenToGroup: Bool

        package init(store: String, version: String, user: UInt32, isOpenToGroup: Bool = false) {
            self.store = store
            self.version = version
            self.user = user
            self.isOpenToGroup = isOpenToGroup
        }
    }

    let model: CoreModel
    let driver: SyncDriver
    let identity: Identity
    let time: any TimeSource
    private let log: Logger

    package init(
        model: CoreModel, driver: SyncDriver, identity: Identity, time: any TimeSource = SystemTime(),
        log: Logger = .silent
    ) {
        self.model = model
        self.driver = driver
        self.identity = identity
        self.time = time
        self.log = log
    }

    package func respond(to request: Request) async -> Response {
        let start = time.monotonic
        let response = await answer(request)
        log.debug(
            "request",
            [
                "method": request.method.rawValue, "path": request.path.prefix(2).joined(separator: "/"),
                "status": response.status.code, "ms": (time.monotonic - start).milliseconds,
            ])
        return response
    }

    private func answer(_ request: Request) async -> Response {
        do {
            try check(request.peer)
            return try await answer(LocalRoute(request), request)
        } catch {
            let failure = Failure(describing: error)
            // A hub that is away is no fault of the daemon's, and has been logged by the sync.
            if failure.status == 500 || error is ReplicaStorageError {
                log.error("the request failed", ["error": "\(error)"])
            }
            return Response(failure)
        }
    }

    private func answer(_ route: LocalRoute, _ request: Request) async throws -> Response {
        switch route {
        case .status: return try await statusResponse()
        case .health: return Response(.ok, json: ["status": "ok"])
        case .lists: return Response(.ok, json: ["lists": .array(try await report().lists.map(\.json))])
        case .addList: return try await addList(request)
        case .items(let list, let query): return try await items(in: list, query)
        case .edit(let list): return try await edit(request, in: list)
        case .importRecords(let list, let format, let index):
            return try await importRecords(request, format, index, into: list)
        case .export(let list, let format): return try await export(list, format)
        case .inspect(let id, let list): return Response(.ok, json: try await inspect(id, in: list).json)
        case .move(let id, let list): return try await move(request, id, in: list)
        case .conflicts(let list): return try await conflicts(in: list)
        case .resolve(let id): return try await resolve(request, id)
        case .quarantine: return try await quarantine()
        case .retry(let id):
            try await model.retryQuarantined(id)
            return Response(.ok, json: [:])
        case .discard(let id):
            return Response(.ok, json: ItemReport.Quarantined(try await model.discardQuarantined(id)).json)
        case .events(let since): return try await events(since: since)
        case .sync(let seconds): return try await sync(seconds)
        case .join: return try await join(request)
        case .leave:
            try await driver.leave()
            return try await statusResponse()
        }
    }

    private func check(_ peer: Peer) throws(Failure) {
        switch peer {
        case .inProcess: return
        case .local(let user, _, _) where user == identity.user || user == 0 || identity.isOpenToGroup: return
        default:
            throw Failure(
                .forbidden, code: "forbidden", "this daemon belongs to another user",
                hint: "run a daemon of your own: systemctl --user start tandemd")
        }
    }
}
