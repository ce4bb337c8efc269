@testable import ClientCommand
import Daemon
import HTTP
import Platform
import Replica
import Sync
import TandemClient
import Wire

/// The real daemon's local API over a store in memory, without a hub: the command line against its real rules.
struct CommandDaemon {
    let model: CoreModel
    let connection: DaemonConnection
    private let time = ManualTime(now: testNow)

    init() throws {
        let random = SeededRandom(seed: 1)
        let storage = try MemoryReplicaStorage(new: NewStore(name: "laptop", random: random))
        model = CoreModel(storage: storage, time: time, random: random)
        let driver = SyncDriver(model: model, random: random, time: time) { _, _ in AbsentHub() }
        let service = DaemonService(
            model: model, driver: driver, identity: .init(store: "/store", version: "0.1.0", user: 0), time: time)
        connection = DaemonConnection(transport: HandlerTransport(service))
    }

    func run(_ words: String..., terminal: Terminal = .colourless) async throws -> CommandOutcome {
        // Ids that are minted later sort later.
        time.advance(by: .milliseconds(10))
        return try await runTandem(words, connection, terminal: terminal)
    }

    /// The short id of the item of this title.
    func id(_ title: String) async throws -> String {
        let items = try await model.items(in: .todo)
        let item = items.first { $0[.title] == .string(title) }
        return item.map { ShortIDs(items.map(\.id))[$0.id] } ?? "no item '\(title)'"
    }
}

/// A hub that is never there.
private struct AbsentHub: HubConnection {
    private let error = HubError(.unreachable, "there is no hub")

    func hello() async throws(HubError) -> Hello { throw error }
    func push(_ mutations: [Mutation], to list: ListName, seen: Cursor?) async throws(HubError) -> PushAnswer {
        throw error
    }
    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        throw error
    }
    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> { throw error }
}
