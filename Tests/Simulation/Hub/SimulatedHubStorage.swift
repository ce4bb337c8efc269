import Hub
import HubStore
import TandemItems

/// The hub's store: states in memory, one write after another, with faults at any statement.
final class SimulatedHubStorage: HubStorage, @unchecked Sendable {
    private unowned let world: World
    var state: MemoryHubState
    var isFull = false
    /// Fails the write statement with this number, counted down.
    var failAfter: Int?
    private var isWriting = false

    init(_ world: World, _ state: MemoryHubState) {
        self.world = world
        self.state = state
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        let life = world.hub.life
        await world.pause()
        guard world.hub.isUp, world.hub.life == life else { throw HubStorageError(.failed, "the process is gone") }
        let value = try transact(body)
        world.oracle.hubCommitted(world)
        committed(value)
        world.hub.announce()
        return value
    }

    private func transact<Value>(_ body: (any HubTransaction) throws -> Value) throws -> Value {
        let heads = state.lists.mapValues(\.list.head)
        let session = MemoryHubSession(MemoryHubState(epoch: state.epoch))
        // Moved and not copied, so that what is in it changes in place.
        swap(&state, &session.state)
        defer { swap(&state, &session.state) }
        do {
            let value = try body(FaultyHubTransaction(session, self))
            try session.end()
            if world.strikes(.commitFailure) { throw HubStorageError(.failed, "the commit failed") }
            world.oracle.heads = heads
            return value
        } catch {
            session.undo()
            throw session.failure ?? error
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any HubReading) throws -> Value
    ) async throws -> Value {
        let life = world.hub.life
        if world.hub.isUp { await world.pause() }
        guard world.hub.life == life else { throw HubStorageError(.failed, "the process is gone") }
        let session = MemoryHubSession(state)
        let value = try body(session)
        try session.end()
        return value
    }

    /// Called before each write statement.
    func strike() throws {
        if isFull, !world.isCalm { throw HubStorageError(.full, "no room") }
        guard let left = failAfter else { return }
        failAfter = left > 0 ? left - 1 : nil
        guard left == 0 else { return }
        world.count(.hubCrashInTransaction)
        world.hub.crash(for: Int64(10 + world.random.below(5_000)))
        throw HubStorageError(.failed, "the process is gone")
    }
}

/// A transaction in which any write statement may fail.
struct FaultyHubTransaction: HubTransaction {
    private let session: MemoryHubSession
    private let storage: SimulatedHubStorage

    init(_ session: MemoryHubSession, _ storage: SimulatedHubStorage) {
        self.session = session
        self.storage = storage
    }

    func epoch() throws -> Epoch { try session.epoch() }
    func lists() throws -> [HubList] { try session.lists() }
    func list(_ name: ListName) throws -> HubList? { try session.list(name) }
    func item(_ id: ItemID, in list: ListName) throws -> Item? { try session.item(id, in: list) }
    func items(
        in list: ListName, after: Version, through: Version, limit: Int, maximumBytes: Int, tombstonesAfter: Version
    ) throws -> [EncodedItem] {
        try session.items(
            in: list, after: after, through: through, limit: limit, maximumBytes: maximumBytes,
            tombstonesAfter: tombstonesAfter)
    }
    func eachLiveItem(in list: ListName, _ body: (EncodedItem) throws -> Void) throws {
        try session.eachLiveItem(in: list, body)
    }
    func digest(in list: ListName, at sequence: Version) throws -> String? {
        try session.digest(in: list, at: sequence)
    }
    func ledgerEntry(in list: ListName, replica: ReplicaID, n: Int64) throws -> LedgerEntry? {
        try session.ledgerEntry(in: list, replica: replica, n: n)
    }
    func history(of item: ItemID, in list: ListName) throws -> [HistoryEntry] {
        try session.history(of: item, in: list)
    }
    func tokens() throws -> [TokenRecord] { try session.tokens() }
    func token(hash: [UInt8]) throws -> TokenRecord? { try session.token(hash: hash) }
    func replicaNames() throws -> [ReplicaID: String] { try session.replicaNames() }

    func add(_ list: HubList) throws {
        try storage.strike()
        try session.add(list)
    }
    func removeList(_ name: ListName) throws {
        try storage.strike()
        try session.removeList(name)
    }
    func put(_ item: Item, in list: ListName) throws {
        try storage.strike()
        try session.put(item, in: list)
    }
    func append(_ entry: HistoryEntry, digest: String, in list: ListName) throws {
        try storage.strike()
        try session.append(entry, digest: digest, in: list)
    }
    func record(_ refusal: Refusal, of mutation: Mutation, in list: ListName) throws {
        try storage.strike()
        try session.record(refusal, of: mutation, in: list)
    }
    func put(_ token: TokenRecord) throws {
        try storage.strike()
        try session.put(token)
    }
    func setName(_ name: String, of replica: ReplicaID) throws {
        try storage.strike()
        try session.setName(name, of: replica)
    }
}
