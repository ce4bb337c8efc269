import CSQLite

/// One connection to one SQLite database.
///
/// Not `Sendable`, and opened without SQLite's own locks: it belongs to one executor, and since its functions block
/// on the disk, that is a `QueueExecutor` and not the cooperative pool. Only its `interrupter` is for other threads.
/// Text is compared bytewise (BINARY), SQLite's default.
package final class Connection {
    /// What the connection may do with the file.
    package enum Mode: Sendable {
        case readWriteCreate, readWrite, readOnly
    }

    package let mode: Mode
    let handle: Handle
    private var statements = StatementCache(capacity: 128)

    /// Opens the file; `:memory:` is a database of this connection alone.
    ///
    /// SQLite reads the file at the first statement only: that is where a damaged one is found.
    package init(path: String, mode: Mode = .readWriteCreate) throws {
        self.mode = mode
        let flags =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        handle = try Handle(path: path, flags: flags)
    }

    deinit {
        close()
    }

    /// For fault injection: called with the SQL text before each run of a statement (not before each of its rows),
    /// BEGIN and COMMIT included, and the rollback after a fault excluded. What it throws is thrown in place of the
    /// statement's effect.
    package var beforeStep: ((String) throws -> Void)? {
        get { handle.beforeStep }
        set { handle.beforeStep = newValue }
    }

    package var interrupter: Interrupter { handle.interrupter }

    /// Rows that the last INSERT, UPDATE or DELETE changed; 0 when closed.
    package var changes: Int {
        handle.raw.map { Int(sqlite3_changes64($0)) } ?? 0
    }

    /// Row id of the last successful INSERT; 0 when closed.
    package var lastInsertRowID: Int64 {
        handle.raw.map { sqlite3_last_insert_rowid($0) } ?? 0
    }

    /// The statement for one SQL text, compiled at the first call and cached for the next ones.
    ///
    /// Two callers with one text share one statement, unless it is running: bind and step without calling out
    /// in between.
    /// - Precondition: the text is one statement.
    package func prepare(_ sql: String) throws -> Statement {
        if let cached = statements.statement(for: sql) { return cached }
        var source = sql
        let statement = try source.withUTF8 { source in
            let (statement, length) = try compile(source, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
            let rest = try compile(UnsafeBufferPointer(rebasing: source[length...]), flags: 0)
            precondition(rest.statement == nil, "more than one statement: \(sql)")
            return statement
        }
        guard let statement else { throw SQLiteError(.misuse, statement: sql) }
        statements.insert(statement, for: sql)
        return statement
    }

    /// Runs every statement of a script in order, up to the first that fails. Rows are dropped.
    package func execute(_ sql: String) throws {
        var sql = sql
        try sql.withUTF8 { source in
            var rest = source
            while !rest.isEmpty {
                let (statement, length) = try compile(rest, flags: 0)
                // No progress: a U+0000 ends the text for SQLite.
                guard length > 0 else { throw SQLiteError(.misuse, statement: String(decoding: rest, as: UTF8.self)) }
                try statement?.run()
                // Line ends between statements are no part of the next one's text, which errors and hooks show.
                rest = UnsafeBufferPointer(rebasing: rest[length...].drop { $0 == 0x20 || $0 == 0x0a })
            }
        }
    }

    /// Frees the handle and every cached statement; what is used after that throws `misuse`. An open transaction is
    /// rolled back. Called by `deinit` too.
    package func close() {
        statements.removeAll()
        handle.close()
    }

    /// Compiles the first statement (`nil` for blanks and comments) and says how many bytes it took.
    private func compile(
        _ source: UnsafeBufferPointer<UInt8>, flags: UInt32
    ) throws -> (statement: Statement?, length: Int) {
        let database = try handle.database()
        return try source.withMemoryRebound(to: CChar.self) { text in
            var raw: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(database, text.baseAddress, Int32(text.count), flags, &raw, &tail)
            if code != SQLITE_OK { throw handle.error(code, statement: String(decoding: source, as: UTF8.self)) }
            let length = tail.flatMap { tail in text.baseAddress.map { tail - $0 } } ?? text.count
            return (raw.map { Statement(handle: handle, raw: $0) }, length)
        }
    }
}
