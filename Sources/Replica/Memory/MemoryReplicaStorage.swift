import Platform
package import Sync
import Synchronization

/// A replica's store in memory, for tests and the simulator: the same rules as on a disk, and gone with the process.
///
/// A write works on a copy of the state and puts it in place when its body returns. Reads and writes run on queues of
/// their own. Every write copies what it changes, so it is for some thousands of items.
package final class MemoryReplicaStorage: ReplicaStorage {
    private let state: Mutex<MemoryReplicaState>
    private let writer = Worker(label: "memory-replica-writer")
    private let reader = Worker(label: "memory-replica-reader")

    /// A store with this record and these lists, empty.
    package init(_ record: StoreRecord, lists: [ReplicaList]) {
        state = Mutex(MemoryReplicaState(record: record, lists: lists))
    }

    /// A new store under a new replica id.
    package convenience init(new: NewStore) throws {
        self.init(new.makeRecord(), lists: new.lists)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await writer.run { [self] in
            let transaction = MemoryReplicaTransaction(state.withLock { $0 })
            let value = try body(transaction)
            state.withLock { $0 = transaction.state }
            committed(value)
            return value
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaReading) throws -> Value
    ) async throws -> Value {
        try await reader.run { [self] in try body(state.withLock { $0 }) }
    }

    /// Runs closures one after another, off the cooperative threads.
    private actor Worker {
        private let executor: QueueExecutor

        init(label: String) { executor = QueueExecutor(label: label) }

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value { try body() }
    }
}
