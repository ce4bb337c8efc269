import Platform
import SQLite
import Sync

/// Owner of the connection that reads, on a queue of its own: a read waits for no write.
actor ReplicaReader {
    private let executor = QueueExecutor(label: "replica-reader")
    private var connection: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func open(_ files: ReplicaFiles, _ options: SQLiteReplicaStorage.Options) throws {
        do {
            let connection = try Connection(path: files.database, mode: .readOnly)
            try connection.configureDurableStore(options.store)
            self.connection = connection
        } catch {
            throw ReplicaStorageError(error)
        }
    }

    func run<Value: Sendable>(_ body: @Sendable (any ReplicaReading) throws -> Value) throws -> Value {
        guard let connection else { throw ReplicaStorageError.closed }
        do {
            return try connection.readTransaction {
                // The first read fixes the state that all of the body sees.
                try connection.prepare("SELECT 1 FROM meta LIMIT 1").run()
                let snapshot = ReplicaSnapshot(connection)
                let value = try body(snapshot)
                if let failure = snapshot.failure { throw failure }
                return value
            }
        } catch let error as SQLiteError {
            throw ReplicaStorageError(error)
        }
    }

    func close() {
        connection?.close()
        connection = nil
    }
}

extension ReplicaStorageError {
    static let closed = ReplicaStorageError(.failed, "the store is closed")

    static func moved(_ path: String) -> ReplicaStorageError {
        ReplicaStorageError(.moved, "\(path) was deleted or replaced while it was in use; nothing more is written")
    }
}
