import Platform
import SQLite
import Sync

/// Owner of the lock and of the connection that writes. Everything in it blocks, on a queue of its own.
actor ReplicaWriter {
    private struct Session {
        let connection: Connection
        let statements: ItemStatements
        let lock: FileLock
        let path: String
        let file: FileIdentity?
    }

    private let executor = QueueExecutor(label: "replica-writer")
    private var session: Session?
    /// Whether the store says of itself that it is in use: written with the first change, so that opening and reading
    /// need no room on the disk.
    private var isMarkedRunning = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Locks and opens the store, makes it where there is none, and checks it after an unclean stop.
    func open(_ files: ReplicaFiles, _ new: NewStore, _ options: SQLiteReplicaStorage.Options) throws {
        precondition(session == nil)
        let opening = ReplicaOpening(files: files, new: new, options: options)
        let (lock, connection) = try opening.run()
        session = Session(
            connection: connection, statements: try ItemStatements(connection), lock: lock, path: files.database,
            file: FileIdentity(of: files.database))
    }

    func run<Value: Sendable>(
        _ body: @Sendable (any ReplicaTransaction) throws -> Value, committed: @Sendable (Value) -> Void
    ) throws -> Value {
        guard let session else { throw ReplicaStorageError.closed }
        // What was written to a file that no path leads to would be gone with this process.
        guard FileIdentity(of: session.path) == session.file else { throw ReplicaStorageError.moved(session.path) }
        let value: Value
        do {
            value = try session.connection.transaction {
                let change = ReplicaChange(session.connection, session.statements)
                let value = try body(change)
                try change.finish()
                if !isMarkedRunning { try RunningMark.set(session.connection) }
                return value
            }
        } catch let error as SQLiteError {
            throw ReplicaStorageError(error)
        }
        isMarkedRunning = true
        committed(value)
        return value
    }

    func withConnection<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
        guard let session else { throw ReplicaStorageError.closed }
        return try body(session.connection)
    }

    /// Marks the clean end and lets go. What fails here is no loss: the next opening checks the store instead.
    func close() {
        guard let session else { return }
        if isMarkedRunning { try? session.connection.transaction { try RunningMark.remove(session.connection) } }
        // Without a checkpoint the log stays, and the next opening reads it.
        _ = try? session.connection.checkpoint(truncate: true)
        session.connection.close()
        self.session = nil
    }
}

/// A row that is there from the first change after opening to a clean end.
enum RunningMark {
    static func isSet(_ connection: Connection) throws -> Bool {
        try connection.prepare("SELECT 1 FROM meta WHERE key = 'running'").first { _ in true } ?? false
    }

    static func set(_ connection: Connection) throws {
        try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('running', 1)").run()
    }

    static func remove(_ connection: Connection) throws {
        try connection.prepare("DELETE FROM meta WHERE key = 'running'").run()
    }
}
