/// Prepared statements by their SQL text, so that a text is compiled once. Holds the most recently used ones.
struct StatementCache {
    private var entries: [String: (statement: Statement, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The statement for this very text, unless it is running: a nested use needs another.
    mutating func statement(for sql: String) -> Statement? {
        guard let index = entries.index(forKey: sql), !entries.values[index].statement.isRunning else { return nil }
        // Keys are equal when canonically equivalent, SQL texts only when their bytes are.
        guard entries.keys[index].utf8.elementsEqual(sql.utf8) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].statement
    }

    /// Keeps the statement; one that it pushes out stays valid for whoever holds it.
    mutating func insert(_ statement: Statement, for sql: String) {
        guard entries[sql] == nil else { return }
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
        }
        uses += 1
        entries[sql] = (statement, uses)
    }

    mutating func removeAll() {
        for entry in entries.values { entry.statement.finalize() }
        entries.removeAll()
    }
}
