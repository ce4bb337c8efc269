import CSQLite

extension Connection {
    package var isInTransaction: Bool {
        handle.raw.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Runs `body` as one change: all of it is durable when this returns, none of it is there when this throws.
    ///
    /// Takes the write lock at once (BEGIN IMMEDIATE), so it waits for another writer before `body` and not within it.
    /// It leaves no open transaction, whatever fails, a full disk at the commit included. Not to be nested: the inner
    /// call throws. `body` lets errors of SQLite through: some end the transaction by themselves.
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try run(beginning: "BEGIN IMMEDIATE", body)
    }

    /// Runs `body` on one snapshot, fixed by the first read in it. Writers are neither kept waiting nor waited for.
    package func readTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try run(beginning: "BEGIN DEFERRED", body)
    }

    private func run<Value>(beginning begin: String, _ body: () throws -> Value) throws -> Value {
        try prepare(begin).run()
        do {
            let value = try body()
            try prepare("COMMIT").run()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    private func rollBack() {
        // A full disk or an I/O error may have rolled back already (https://sqlite.org/lang_transaction.html).
        guard isInTransaction else { return }
        sqlite3_exec(handle.raw, "ROLLBACK", nil, nil, nil)
        precondition(!isInTransaction, "SQLite keeps the transaction open")
    }
}
