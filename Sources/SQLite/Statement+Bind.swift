import CSQLite

/// Binding by type and position, without boxing. SQLite copies text and blobs.
///
/// Each throws `misuse` while the statement is running, and SQLite's own error for a value that is too long
/// (SQLITE_TOOBIG) or a parameter that does not exist (SQLITE_RANGE).
extension Statement {
    package func bindNull(at index: Int) throws {
        try check(sqlite3_bind_null(raw, Int32(index)))
    }

    package func bind(_ value: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(raw, Int32(index), value))
    }

    package func bind(_ value: Int, at index: Int) throws {
        try bind(Int64(value), at: index)
    }

    package func bind(_ value: Double, at index: Int) throws {
        try check(sqlite3_bind_double(raw, Int32(index), value))
    }

    /// Stores every byte of the text, U+0000 included.
    package func bind(_ value: String, at index: Int) throws {
        var value = value
        let code = value.withUTF8 { tandem_sqlite3_bind_text(raw, Int32(index), $0.baseAddress, UInt64($0.count)) }
        try check(code)
    }

    /// Stores a blob; without bytes an empty one, not NULL.
    package func bind(_ value: [UInt8], at index: Int) throws {
        let code = value.withUnsafeBytes {
            tandem_sqlite3_bind_blob(raw, Int32(index), $0.baseAddress, UInt64($0.count))
        }
        try check(code)
    }

    /// Stores text that the caller holds as valid UTF-8 bytes, such as encoded JSON.
    package func bindText(utf8 bytes: [UInt8], at index: Int) throws {
        let code = bytes.withUnsafeBytes {
            tandem_sqlite3_bind_text(raw, Int32(index), $0.baseAddress, UInt64($0.count))
        }
        try check(code)
    }

    package func bind(_ value: Int64?, at index: Int) throws {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    package func bind(_ value: String?, at index: Int) throws {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    package func bind(_ value: [UInt8]?, at index: Int) throws {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }

    private func check(_ code: Int32) throws {
        try handle.check(code, statement: sql)
    }
}
