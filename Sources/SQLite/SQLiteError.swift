import CSQLite
import Glibc

/// What SQLite answered: its result code, its own message, and the statement that it was about.
///
/// The statement is the SQL text without its bound values, so an error may be logged without telling contents.
/// The codes are those of https://sqlite.org/rescode.html.
package struct SQLiteError: Error, Sendable, Equatable {
    /// A primary result code.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let generic = Code(rawValue: SQLITE_ERROR)
        package static let busy = Code(rawValue: SQLITE_BUSY)
        package static let locked = Code(rawValue: SQLITE_LOCKED)
        package static let readOnly = Code(rawValue: SQLITE_READONLY)
        package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        package static let inputOutput = Code(rawValue: SQLITE_IOERR)
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        package static let full = Code(rawValue: SQLITE_FULL)
        package static let cantOpen = Code(rawValue: SQLITE_CANTOPEN)
        package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        package static let misuse = Code(rawValue: SQLITE_MISUSE)
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    }

    /// The primary code in its low byte, the detail above it; equal to the primary code when there is no detail.
    package var extendedCode: Int32
    package var message: String
    /// SQL text, if a statement was at work.
    package var statement: String?
    /// `errno` behind an `inputOutput` or `cantOpen`; 0 with every other code.
    package var systemErrorNumber: Int32

    package init(extendedCode: Int32, message: String, statement: String? = nil, systemErrorNumber: Int32 = 0) {
        self.extendedCode = extendedCode
        self.message = message
        self.statement = statement
        self.systemErrorNumber = systemErrorNumber
    }

    /// An error with SQLite's standard text for the code: what a test injects.
    package init(_ code: Code, statement: String? = nil, systemErrorNumber: Int32 = 0) {
        self.init(
            extendedCode: code.rawValue, message: String(cString: sqlite3_errstr(code.rawValue)),
            statement: statement, systemErrorNumber: systemErrorNumber)
    }

    package var code: Code { Code(rawValue: extendedCode & 0xff) }
}

extension SQLiteError {
    /// No space or no quota left. SQLite says `full` for most writes, and `inputOutput` with the reason in `errno`
    /// for the rest (fsync, the shared memory file).
    package var isDiskFull: Bool {
        code == .full || (isFromSystem && [ENOSPC, EDQUOT].contains(systemErrorNumber))
    }

    /// The file, its directory or its file system does not let us write.
    package var isReadOnly: Bool {
        code == .readOnly || (isFromSystem && systemErrorNumber == EROFS)
    }

    /// The content is not a sound database; a retry does not help.
    package var isCorrupt: Bool { code == .corrupt || code == .notADatabase }

    /// Another connection holds the lock for longer than the busy timeout; a retry may help.
    package var isBusy: Bool { code == .busy || code == .locked }

    package var isCantOpen: Bool { code == .cantOpen }

    private var isFromSystem: Bool { code == .inputOutput || code == .cantOpen }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        var text = "SQLite error \(code.rawValue)"
        if extendedCode != code.rawValue { text += " (extended \(extendedCode))" }
        text += ": \(message)"
        if systemErrorNumber != 0 { text += ", errno \(systemErrorNumber)" }
        if let statement { text += ", in: \(statement)" }
        return text
    }
}
