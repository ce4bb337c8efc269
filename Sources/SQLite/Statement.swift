import CSQLite

/// The owner of a `sqlite3_stmt *`. Used on the executor of its connection, and not after `Connection.close()`.
///
/// Two ways to use it. The short one, `run`, `query`, `first`, `all`, binds every parameter and resets at the end,
/// errors included. The fast one, for bulk work, allocates nothing: `bind` each parameter, then `step()`; a step that
/// ends or fails resets the statement itself and keeps the bound values, so that the next round may bind only what
/// differs. A caller that stops before the last row calls `reset()`.
///
/// Parameters count from 1 and columns from 0, as in SQLite's own manual.
package final class Statement {
    package let sql: String
    let handle: Handle
    private(set) var raw: OpaquePointer?
    /// Stepped, and not yet at its end: its columns may be read.
    package private(set) var isRunning = false

    /// Takes ownership of `raw`.
    init(handle: Handle, raw: OpaquePointer) {
        self.handle = handle
        self.raw = raw
        sql = String(cString: sqlite3_sql(raw))
    }

    deinit {
        sqlite3_finalize(raw)
    }

    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(raw)) }

    package var columnCount: Int { Int(sqlite3_column_count(raw)) }

    /// Moves to the next row: true when there is one, false at the end. Blocks while SQLite reads and writes.
    package func step() throws -> Bool {
        if !isRunning { try start() }
        let code = sqlite3_step(raw)
        if code == SQLITE_ROW { return true }
        // The error is made before the reset, which may replace the message and only repeats the code.
        let error = code == SQLITE_DONE ? nil : handle.error(code, statement: sql)
        rewind()
        if let error { throw error }
        return false
    }

    /// Ends the run and sets every parameter to NULL.
    ///
    /// Throws when a write that was stepped only to its first row (RETURNING) fails to be committed by that.
    package func reset() throws {
        let code = rewind()
        let error = code == SQLITE_OK ? nil : handle.error(code, statement: sql)
        clearBindings()
        if let error { throw error }
    }

    /// Binds the values to the parameters in order and runs to the end.
    /// - Precondition: one value for each parameter.
    package func run(_ values: (any Bindable)?...) throws {
        try run(values: values)
    }

    package func run(values: [(any Bindable)?]) throws {
        try bound(to: values) {
            while try step() {}
        }
    }

    /// Calls `each` with the statement at every row; what it throws ends the run.
    /// - Precondition: one value for each parameter.
    package func query(_ values: (any Bindable)?..., each: (Statement) throws -> Void) throws {
        try query(values: values, each: each)
    }

    package func query(values: [(any Bindable)?], each: (Statement) throws -> Void) throws {
        try bound(to: values) {
            while try step() { try each(self) }
        }
    }

    /// What `read` makes of the first row, `nil` without one. Further rows are not computed.
    package func first<Value>(_ values: (any Bindable)?..., read: (Statement) throws -> Value) throws -> Value? {
        try first(values: values, read: read)
    }

    package func first<Value>(values: [(any Bindable)?], read: (Statement) throws -> Value) throws -> Value? {
        try bound(to: values) { try step() ? read(self) : nil }
    }

    /// What `read` makes of each row. The caller bounds the number of rows.
    package func all<Value>(_ values: (any Bindable)?..., read: (Statement) throws -> Value) throws -> [Value] {
        var rows: [Value] = []
        try query(values: values) { rows.append(try read($0)) }
        return rows
    }

    /// Frees SQLite's side; every later use throws `misuse`.
    func finalize() {
        isRunning = false
        sqlite3_finalize(raw)
        raw = nil
    }

    private func start() throws {
        guard raw != nil else { throw SQLiteError(.misuse, statement: sql) }
        try handle.beforeStep?(sql)
        isRunning = true
    }

    @discardableResult
    private func rewind() -> Int32 {
        isRunning = false
        return sqlite3_reset(raw)
    }

    private func clearBindings() {
        if raw != nil { sqlite3_clear_bindings(raw) }
    }

    /// Binds, runs `body`, and resets in every case.
    private func bound<Value>(to values: [(any Bindable)?], _ body: () throws -> Value) throws -> Value {
        // Also keeps a nested use from resetting the run that it is nested in.
        guard raw != nil, !isRunning else { throw SQLiteError(.misuse, statement: sql) }
        precondition(values.count == parameterCount, "\(values.count) values for the parameters of: \(sql)")
        do {
            try bind(values)
            let value = try body()
            try reset()
            return value
        } catch {
            rewind()
            clearBindings()
            throw error
        }
    }

    private func bind(_ values: [(any Bindable)?]) throws {
        for (index, value) in values.enumerated() {
            if let value { try value.bind(to: self, at: index + 1) } else { try bindNull(at: index + 1) }
        }
    }
}
