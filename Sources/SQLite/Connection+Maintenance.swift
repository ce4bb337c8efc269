import CSQLite

/// What a checkpoint did with the write-ahead log.
package struct CheckpointResult: Sendable, Equatable {
    /// A reader or writer kept the log from being moved as a whole; what could be moved was.
    package var isBlocked: Bool
    package var logFrames: Int
    package var movedFrames: Int
}

extension Connection {
    /// Moves the write-ahead log into the database file. With `truncate` it waits for readers, up to the busy timeout,
    /// and leaves an empty log. Throws `locked` within a transaction.
    @discardableResult
    package func checkpoint(truncate: Bool = false) throws -> CheckpointResult {
        let statement = try prepare("PRAGMA wal_checkpoint(\(truncate ? "TRUNCATE" : "PASSIVE"))")
        let result = try statement.first {
            CheckpointResult(
                isBlocked: $0.int64(at: 0) != 0, logFrames: Int($0.int64(at: 1)), movedFrames: Int($0.int64(at: 2)))
        }
        guard let result else { throw SQLiteError(.generic, statement: statement.sql) }
        return result
    }

    /// What is wrong with the structure of the file, at most 100 findings; none when it is sound.
    /// Reads the whole file, but does not compare indices with their tables.
    package func quickCheck() throws -> [String] {
        try findings(of: "PRAGMA quick_check")
    }

    /// As `quickCheck`, indices and their tables included, at several times its cost.
    package func integrityCheck() throws -> [String] {
        try findings(of: "PRAGMA integrity_check")
    }

    /// Copies one consistent state of the database into the file at `path`, replacing a database that is there.
    ///
    /// Blocks to the end; other connections may write meanwhile, and the copy does not see it. Throws `locked` within
    /// a writing transaction. After an error the file at `path` is not a backup: write to a temporary name and rename.
    /// - Parameters:
    ///   - pagesPerStep: after how many pages `progress` is called.
    ///   - progress: pages still to copy, and pages in all; what it throws ends the backup.
    package func backup(
        to path: String, pagesPerStep: Int32 = 1024,
        progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        precondition(pagesPerStep > 0)
        let destination = try Connection(path: path)
        defer { destination.close() }
        let target = destination.handle
        if isInTransaction {
            try copySnapshot(to: target, pagesPerStep: pagesPerStep, progress: progress)
        } else {
            try readTransaction { try copySnapshot(to: target, pagesPerStep: pagesPerStep, progress: progress) }
        }
    }

    private func findings(of sql: String) throws -> [String] {
        do {
            let lines = try prepare(sql).all { $0.text(at: 0) }
            return lines == ["ok"] ? [] : lines
        } catch let error as SQLiteError where error.isCorrupt {
            // Too damaged for SQLite to look further: that is a finding.
            return [error.message]
        }
    }

    private func copySnapshot(
        to destination: Handle, pagesPerStep: Int32, progress: (_ remaining: Int, _ total: Int) throws -> Void
    ) throws {
        // A backup starts anew when the database changes below it; one read fixes the snapshot, and so it ends.
        try prepare("SELECT 1 FROM sqlite_schema LIMIT 1").run()
        let target = try destination.database()
        guard let backup = sqlite3_backup_init(target, "main", try handle.database(), "main") else {
            throw destination.error(sqlite3_extended_errcode(target))
        }
        var code = SQLITE_OK
        do {
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, pagesPerStep)
                try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        // The message of a failed step is in the destination only after finish.
        let result = sqlite3_backup_finish(backup)
        try destination.check(code == SQLITE_DONE || result != SQLITE_OK ? result : code)
    }
}
