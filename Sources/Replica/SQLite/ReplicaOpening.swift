import Platform
import SQLite
import Sync

/// The steps from a directory to a store that may be used.
struct ReplicaOpening {
    let files: ReplicaFiles
    let new: NewStore
    let options: SQLiteReplicaStorage.Options

    /// Throws ``ReplicaStorageError``. A store that this program may not touch is left byte for byte as it is.
    func run() throws -> (lock: FileLock, connection: Connection) {
        do {
            try Files.createDirectory(files.directory)
            let lock = try FileLock(path: files.lock, program: options.program)
            guard !StoreRescue.isUnfinished(files) else {
                throw ReplicaStorageError(.corrupt, "\(files.database) was damaged and is not yet replaced")
            }
            if Files.exists(files.database) { try refuseForeignFile() }
            return (lock, try connect(filling: fillNew))
        } catch {
            throw ReplicaStorageError(error)
        }
    }

    /// Makes a store where there is none, in one transaction, and closes it again.
    func makeStore(filling fill: (ReplicaChange) throws -> Void) throws {
        try connect(filling: fill).close()
    }

    private func refuseForeignFile() throws {
        let connection = try Connection(path: files.database, mode: .readOnly)
        defer { connection.close() }
        try options.adjust?(connection)
        let version = try connection.userVersion
        let mark = try connection.prepare("PRAGMA application_id").first { $0.int64(at: 0) }
        let isEmpty = try connection.prepare("SELECT 1 FROM sqlite_schema").first { _ in true } == nil
        guard !isEmpty else { return }
        guard mark == ReplicaSchema.applicationID, version > 0 else {
            throw ReplicaStorageError(.corrupt, "\(files.database) is no store of a replica")
        }
        guard version <= ReplicaSchema.version else {
            throw ReplicaStorageError(
                .tooNew, "\(files.database) has schema \(version), this program knows \(ReplicaSchema.version)")
        }
    }

    private func connect(filling fill: (ReplicaChange) throws -> Void) throws -> Connection {
        // Made here and not by SQLite, for its mode: the file holds the token. The log gets the same mode.
        if !Files.exists(files.database) { try Files.write([], to: files.database) }
        let connection = try Connection(path: files.database)
        do {
            try options.adjust?(connection)
            try connection.configureDurableStore(options.store)
            try connection.execute("PRAGMA journal_size_limit=\(options.logBytes)")
            if try connection.userVersion == 0 { try create(connection, fill) }
            if try RunningMark.isSet(connection) { try check(connection) }
            _ = try ReplicaSnapshot(connection).record()
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    private func create(_ connection: Connection, _ fill: (ReplicaChange) throws -> Void) throws {
        try connection.transaction {
            try connection.execute(ReplicaSchema.script)
            let change = ReplicaChange(connection, try ItemStatements(connection))
            try fill(change)
            try change.finish()
        }
    }

    private func fillNew(_ change: ReplicaChange) throws {
        try change.put(new.makeRecord())
        for list in new.lists { try change.put(list) }
    }

    /// After a stop that was not clean: the structure of the whole file, then the numbers that are kept beside rows.
    private func check(_ connection: Connection) throws {
        let findings = try connection.quickCheck()
        guard findings.isEmpty else {
            throw ReplicaStorageError(.corrupt, "\(files.database) is damaged: \(findings[0])")
        }
        let wrong = try connection.prepare(
            """
            SELECT key, counted FROM (SELECT key, items, (SELECT count(*) FROM item
                WHERE item.list = list.key AND deleted = 0) AS counted FROM list) WHERE items <> counted
            """
        ).all { ($0.int64(at: 0), $0.int64(at: 1)) }
        for (key, counted) in wrong {
            try connection.prepare("UPDATE list SET items = ? WHERE key = ?").run(counted, key)
        }
    }
}
