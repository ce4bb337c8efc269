import CSQLite

/// Columns of the current row. They convert as SQLite does: NULL reads as 0, as the empty text and as the empty blob,
/// so ask `isNull` where that differs.
/// - Precondition: `step()` answered true, and the column is below `columnCount`.
extension Statement {
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(row, Int32(column)) == SQLITE_NULL
    }

    package func int64(at column: Int) -> Int64 {
        sqlite3_column_int64(row, Int32(column))
    }

    package func double(at column: Int) -> Double {
        sqlite3_column_double(row, Int32(column))
    }

    /// The whole text, U+0000 included; bytes that are not UTF-8 (a damaged file) become U+FFFD.
    package func text(at column: Int) -> String {
        // The pointer first, then the length: the order that the manual asks for (c3ref/column_blob.html).
        guard let text = sqlite3_column_text(row, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(row, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    package func blob(at column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(row, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(row, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Lends the bytes of a text or blob without a copy.
    package func withBytes<Value>(at column: Int, _ body: (Span<UInt8>) throws -> Value) rethrows -> Value {
        let bytes = sqlite3_column_blob(row, Int32(column))
        let count = bytes == nil ? 0 : Int(sqlite3_column_bytes(row, Int32(column)))
        let buffer = UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: UInt8.self), count: count)
        return try body(Span(_unsafeElements: buffer))
    }

    package func optionalInt64(at column: Int) -> Int64? {
        isNull(at: column) ? nil : int64(at: column)
    }

    package func optionalText(at column: Int) -> String? {
        isNull(at: column) ? nil : text(at: column)
    }

    package func optionalBlob(at column: Int) -> [UInt8]? {
        isNull(at: column) ? nil : blob(at: column)
    }

    private var row: OpaquePointer? {
        precondition(isRunning, "no current row")
        return raw
    }
}
