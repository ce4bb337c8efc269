package import SQLite
package import Sync

/// A replica's store in one SQLite file: WAL with `synchronous=FULL`, one connection that writes and one that reads,
/// each on a queue of its own.
///
/// `lock` in its directory is held from before the database is opened to after it is closed, so one process uses a
/// store at a time. The database file is readable by its user alone; a directory that is made for it is too.
///
/// When it stops without ``close()``, the next opening examines the whole file, about a second for a million items.
package final class SQLiteReplicaStorage: ReplicaStorage {
    /// How a store is opened; the defaults are for the daemon.
    package struct Options: Sendable {
        /// Named to a second process that is refused.
        package var program = "tandemd"
        package var store = StoreOptions()
        /// To this size the write-ahead log is cut after a checkpoint.
        package var logBytes = 8 << 20
        /// For tests, to inject faults: called with each connection that opening uses, before anything else is done with
        /// it; the one that reads is excepted.
        package var adjust: (@Sendable (Connection) throws -> Void)?

        package init() {}
    }

    private let writer = ReplicaWriter()
    private let reader = ReplicaReader()

    private init() {}

    /// Opens the store in a directory, and makes both where they are missing.
    ///
    /// Throws ``ReplicaStorageError``: `inUse` says who holds the store; `tooNew` and `corrupt` leave the file as it
    /// is, and for the latter see ``openSalvaging(directory:new:options:now:)``.
    package static func open(
        directory: String, new: NewStore, options: Options = Options()
    ) async throws -> SQLiteReplicaStorage {
        let storage = SQLiteReplicaStorage()
        let files = ReplicaFiles(directory: directory)
        try await storage.writer.open(files, new, options)
        do {
            try await storage.reader.open(files, options)
        } catch {
            await storage.writer.close()
            throw error
        }
        return storage
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await writer.run(body, committed: committed)
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaReading) throws -> Value
    ) async throws -> Value {
        try await reader.run(body)
    }

    /// Ends what runs, moves the log into the file, marks the clean end and gives the lock back. Calls that come later
    /// are refused; a second close does nothing.
    package func close() async {
        await reader.close()
        await writer.close()
    }

    /// Runs a body with the connection that writes: for tests, which inject faults and set limits.
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await writer.withConnection(body)
    }
}
