import CSQLite

/// The owner of a `sqlite3 *`. Connection and statements share it, so it outlives them all.
final class Handle {
    /// `nil` once closed.
    private(set) var raw: OpaquePointer?
    let interrupter: Interrupter
    var beforeStep: ((String) throws -> Void)?

    init(path: String, flags: Int32) throws {
        var opened: OpaquePointer?
        // No mutex in SQLite: a connection is used by one executor. Extended codes from the first call on.
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        raw = opened
        interrupter = Interrupter(opened)
        // SQLite hands out a handle for most failures too, with the message in it; deinit closes it.
        try check(code)
        try check(tandem_sqlite3_harden(opened))
    }

    deinit {
        close()
    }

    /// The pointer, for one call of SQLite; throws `misuse` after `close()`.
    func database() throws -> OpaquePointer {
        guard let raw else { throw SQLiteError(.misuse) }
        return raw
    }

    /// Turns a result code into an error with SQLite's message. Call it right after the function that gave the code.
    func check(_ code: Int32, statement: String? = nil) throws {
        if code != SQLITE_OK { throw error(code, statement: statement) }
    }

    func error(_ code: Int32, statement: String? = nil) -> SQLiteError {
        let primary = SQLiteError.Code(rawValue: code & 0xff)
        // A misuse leaves the message of an older fault in the handle.
        guard let raw, primary != .misuse else {
            return SQLiteError(primary, statement: statement)
        }
        let isFromSystem = primary == .inputOutput || primary == .cantOpen
        return SQLiteError(
            extendedCode: code, message: String(cString: sqlite3_errmsg(raw)), statement: statement,
            systemErrorNumber: isFromSystem ? sqlite3_system_errno(raw) : 0)
    }

    /// Statements that are still held keep SQLite's side alive until they go (sqlite3_close_v2).
    func close() {
        interrupter.disarm()
        sqlite3_close_v2(raw)
        raw = nil
    }
}
