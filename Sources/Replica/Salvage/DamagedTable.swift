import SQLite

/// Reads a table of a damaged file row by row, stepping over what cannot be read.
///
/// A damaged page makes every search that ends in it fail, and no other. So a failure is left behind by searching
/// further on, twice as far each time, and then coming back to the first key beyond the page by halving.
struct DamagedTable {
    let connection: Connection
    let table: String
    /// An integer primary key.
    let key: String
    let columns: String

    /// Calls `body` for each row that can be read, in the order of the keys; the columns count from 1, as `key` is
    /// column 0. What `body` throws counts as an unreadable row. Answers how many gaps there were.
    func forEach(_ body: (Statement) throws -> Void) -> Int {
        var gaps = 0
        var last = Int64.min
        while true {
            switch row(after: last, body) {
            case .end: return gaps
            case .read(let key): last = key
            case .unreadable(let key):
                gaps += 1
                last = key
            case .damage:
                gaps += 1
                guard let next = end(ofDamageAfter: last) else { return gaps }
                last = next
            }
        }
    }

    private enum Found {
        case read(Int64)
        case unreadable(Int64)
        case damage
        case end
    }

    private func row(after last: Int64, _ body: (Statement) throws -> Void) -> Found {
        var found: Found = .end
        do {
            try connection.prepare(
                "SELECT \(key), \(columns) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT 1"
            ).query(last) { row in
                let key = row.int64(at: 0)
                // A row out of order is damage too, and following it would go round for ever.
                guard key > last else { throw SQLiteError(.corrupt) }
                found = .unreadable(key)
                try body(row)
                found = .read(key)
            }
        } catch {
            if case .end = found { return .damage }
        }
        return found
    }

    /// The least key from which a search succeeds again, `nil` where none does.
    private func end(ofDamageAfter last: Int64) -> Int64? {
        var failing = max(last, 0)
        // Key by key over what may be one page, so that nothing between two damaged pages is jumped over.
        for _ in 0..<1_024 {
            guard !isReadable(after: failing + 1) else { return failing + 1 }
            failing += 1
        }
        guard var working = firstReadable(beyond: failing) else { return nil }
        while failing + 1 < working {
            let middle = failing + (working - failing) / 2
            if isReadable(after: middle) { working = middle } else { failing = middle }
        }
        return working
    }

    private func firstReadable(beyond key: Int64) -> Int64? {
        var step: Int64 = 1
        while step < 1 << 40 {
            if isReadable(after: key + step) { return key + step }
            step *= 2
        }
        return nil
    }

    private func isReadable(after key: Int64) -> Bool {
        if case .damage = row(after: key, { _ in }) { false } else { true }
    }
}
