import Replica
import Sync
import TandemItems

/// A replica's disk: one state, which outlives the process.
final class SimulatedReplicaStorage: @unchecked Sendable {
    private unowned let world: World
    let replica: Int
    var state: MemoryReplicaState
    var isFull = false
    /// Ends the process at the write statement with this number, counted down.
    var crashAfter: Int?
    private(set) var isInTransaction = false

    init(_ world: World, _ replica: Int, _ state: MemoryReplicaState) {
        self.world = world
        self.replica = replica
        self.state = state
    }

    func transact<Value>(
        _ process: ReplicaProcess, _ body: (any ReplicaTransaction) throws -> Value
    ) throws -> Value {
        let memory = MemoryReplicaTransaction(state)
        let transaction = FaultyReplicaTransaction(memory, self, process)
        isInTransaction = true
        defer {
            isInTransaction = false
            transaction.isOver = true
        }
        let value = try body(transaction)
        if let failure = transaction.failure { throw failure }
        if world.strikes(.commitFailure) { throw ReplicaStorageError(.failed, "the commit failed") }
        let before = state
        state = memory.state
        world.oracle.replicaCommitted(self, before: before, world)
        return value
    }

    /// Called before each write statement.
    func strike(_ process: ReplicaProcess) throws {
        if isFull, !world.isCalm { throw ReplicaStorageError(.full, "no room") }
        guard let left = crashAfter else { return }
        crashAfter = left > 0 ? left - 1 : nil
        guard left == 0 else { return }
        world.count(.crashInTransaction)
        process.replica.crash(for: Int64(10 + world.random.below(3_000)))
        throw ReplicaStorageError(.failed, "the process is gone")
    }

    func noteUseAfterEnd() {
        world.violate(.noTransactionAcrossNetwork, "replica \(replica) used a transaction after its end")
    }
}

/// The store as one process has it open. Once the process is gone nothing of it reaches the disk.
struct ProcessStorage: ReplicaStorage {
    let world: World
    let process: ReplicaProcess

    private var storage: SimulatedReplicaStorage { process.replica.storage }

    private func check() throws {
        guard process.isAlive else { throw ReplicaStorageError(.failed, "the process is gone") }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        await world.pause()
        try check()
        let value = try storage.transact(process, body)
        committed(value)
        await world.pause()
        try check()
        return value
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReplicaReading) throws -> Value) async throws -> Value {
        await world.pause()
        try check()
        return try body(storage.state)
    }
}

/// A transaction in which any write statement may fail, or be the last thing that the process does.
final class FaultyReplicaTransaction: ReplicaTransaction {
    private let memory: MemoryReplicaTransaction
    private let storage: SimulatedReplicaStorage
    private let process: ReplicaProcess
    private(set) var failure: ReplicaStorageError?
    var isOver = false

    init(_ memory: MemoryReplicaTransaction, _ storage: SimulatedReplicaStorage, _ process: ReplicaProcess) {
        self.memory = memory
        self.storage = storage
        self.process = process
    }

    private func writing() throws -> MemoryReplicaTransaction {
        if isOver { storage.noteUseAfterEnd() }
        do {
            try storage.strike(process)
        } catch {
            failure = error as? ReplicaStorageError
            throw error
        }
        return memory
    }

    private var reading: MemoryReplicaTransaction {
        if isOver { storage.noteUseAfterEnd() }
        return memory
    }

    func put(_ record: StoreRecord) throws { try writing().put(record) }
    func put(_ list: ReplicaList) throws { try writing().put(list) }
    func removeList(_ name: ListName) throws { try writing().removeList(name) }
    func put(_ item: StoredItem, in list: ListName) throws { try writing().put(item, in: list) }
    func append(_ mutation: Mutation, in list: ListName) throws { try writing().append(mutation, in: list) }
    func removePending(_ n: Int64, in list: ListName) throws { try writing().removePending(n, in: list) }
    func put(_ quarantined: QuarantinedMutation) throws { try writing().put(quarantined) }
    func removeQuarantined(_ id: Nonce) throws { try writing().removeQuarantined(id) }
    func setNames(_ names: [ReplicaID: String]) throws { try writing().setNames(names) }

    func record() -> StoreRecord { reading.record() }
    func lists() -> [ReplicaList] { reading.lists() }
    func list(_ name: ListName) -> ReplicaList? { reading.list(name) }
    func item(_ id: ItemID, in list: ListName) -> StoredItem? { reading.item(id, in: list) }
    func items(in list: ListName, after place: Place?, limit: Int) -> [Item] {
        reading.items(in: list, after: place, limit: limit)
    }
    func item(before place: Place, in list: ListName) -> Item? { reading.item(before: place, in: list) }
    func items(idPrefix: String, limit: Int) -> [(list: ListName, item: Item)] {
        reading.items(idPrefix: idPrefix, limit: limit)
    }
    func items(idSuffix: String, limit: Int) -> [(list: ListName, item: Item)] {
        reading.items(idSuffix: idSuffix, limit: limit)
    }
    func conflicted(in list: ListName) -> [Item] { reading.conflicted(in: list) }
    func changes(after stamp: Int64, limit: Int) -> [(stamp: Int64, list: ListName, item: Item)] {
        reading.changes(after: stamp, limit: limit)
    }
    func lastStamp() -> Int64 { reading.lastStamp() }
    func pending(in list: ListName, from n: Int64, limit: Int, maximumBytes: Int) -> [Mutation] {
        reading.pending(in: list, from: n, limit: limit, maximumBytes: maximumBytes)
    }
    func pending(of item: ItemID, in list: ListName) -> [Mutation] { reading.pending(of: item, in: list) }
    func hasPending(in list: ListName) -> Bool { reading.hasPending(in: list) }
    func quarantined() -> [QuarantinedMutation] { reading.quarantined() }
    func counts(of list: ListName) -> ListCounts { reading.counts(of: list) }
    func replicaNames() -> [ReplicaID: String] { reading.replicaNames() }
}
