import SQLite
import Sync
import TandemItems

extension ReplicaSnapshot {
    final func item(_ id: ItemID, in list: ListName) throws -> StoredItem? {
        try checked {
            guard let key = try key(of: list) else { return nil }
            return try prepare("SELECT confirmed, shown FROM item WHERE list = ? AND id = ?").first(key, id.text) {
                try StoredItem(row: $0, id: id)
            }
        }
    }

    final func items(in list: ListName, after place: Place?, limit: Int) throws -> [Item] {
        try checked {
            guard limit > 0, let key = try key(of: list) else { return [] }
            guard let place else { return try prepare(Self.firstItems).all(key, limit, read: Self.shownItem) }
            return try prepare(Self.itemsAfter).all(key, place.orderKey, place.id.text, limit, read: Self.shownItem)
        }
    }

    final func item(before place: Place, in list: ListName) throws -> Item? {
        try checked {
            guard let key = try key(of: list) else { return nil }
            return try prepare(Self.itemBefore).first(key, place.orderKey, place.id.text, read: Self.shownItem)
        }
    }

    final func items(idPrefix: String, limit: Int) throws -> [(list: ListName, item: Item)] {
        try checked {
            var found: [(list: ListName, item: Item)] = []
            for list in try listNames() where found.count < limit {
                let statement = try prepare(Self.itemsByPrefix)
                try statement.bind(list.key, at: 1)
                try statement.bind(idPrefix, at: 2)
                // Greater than every text with this prefix: no UTF-8 has the byte.
                try statement.bindText(utf8: Array(idPrefix.utf8) + [0xFF], at: 3)
                try statement.bind(Int64(limit - found.count), at: 4)
                defer { statement.cancel() }
                while try statement.step() { found.append((list.name, try Self.shownItem(statement))) }
            }
            return found
        }
    }

    final func items(idSuffix: String, limit: Int) throws -> [(list: ListName, item: Item)] {
        try checked {
            var found: [(list: ListName, item: Item)] = []
            for list in try listNames() where found.count < limit {
                found += try prepare(Self.itemsBySuffix).all(list.key, idSuffix, limit - found.count) { row in
                    (list.name, try Self.shownItem(row))
                }
            }
            return found
        }
    }

    final func conflicted(in list: ListName) throws -> [Item] {
        try checked {
            guard let key = try key(of: list) else { return [] }
            return try prepare(Self.conflictedItems).all(key, read: Self.shownItem)
        }
    }

    final func changes(
        after stamp: Int64, limit: Int
    ) throws -> [(stamp: Int64, list: ListName, item: Item)] {
        try checked {
            guard limit > 0 else { return [] }
            let names = Dictionary(uniqueKeysWithValues: try listNames().map { ($0.key, $0.name) })
            return try prepare(Self.changedItems).all(stamp, limit) { row in
                guard let list = names[row.int64(at: 4)] else { throw InvalidItem(.shape, "an item without its list") }
                return (row.int64(at: 3), list, try Self.shownItem(row))
            }
        }
    }

    final func lastStamp() throws -> Int64 {
        try checked { try storedStamp() }
    }

    /// The greatest stamp that was ever given, read from the rows.
    final func storedStamp() throws -> Int64 {
        let stamp = try prepare(
            """
            SELECT max(coalesce((SELECT max(stamp) FROM item), 0),
                coalesce((SELECT value FROM meta WHERE key = 'stamp_floor'), 0))
            """
        ).first { $0.int64(at: 0) }
        return stamp ?? 0
    }

    private func listNames() throws -> [(key: Int64, name: ListName)] {
        try prepare("SELECT key, name FROM list ORDER BY key").all { ($0.int64(at: 0), try ListName($0.text(at: 1))) }
    }

    /// Reads the columns `id, confirmed, shown`.
    private static func shownItem(_ row: Statement) throws -> Item {
        let id = try ItemID(row.text(at: 0))
        return try ItemCoding.decode(row.isNull(at: 2) ? row.blob(at: 1) : row.blob(at: 2), id: id)
    }

    // An item whose order key is its id has NULL there and stands in the index by its id alone. So the order of a list
    // is two ranges of one index, which SQLite merges as it goes.
    private static let firstItems = """
        SELECT id, confirmed, shown, id AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND order_key IS NULL
        UNION ALL
        SELECT id, confirmed, shown, order_key AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND order_key >= ''
        ORDER BY place, id LIMIT ?2
        """
    private static let itemsAfter = """
        SELECT id, confirmed, shown, id AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND order_key IS NULL AND id >= ?2 AND (id > ?2 OR ?2 > ?3)
        UNION ALL
        SELECT id, confirmed, shown, order_key AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND (order_key, id) > (?2, ?3)
        ORDER BY place, id LIMIT ?4
        """
    private static let itemBefore = """
        SELECT id, confirmed, shown, id AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND order_key IS NULL AND id <= ?2 AND (id < ?2 OR ?2 < ?3)
        UNION ALL
        SELECT id, confirmed, shown, order_key AS place FROM item INDEXED BY item_order
            WHERE list = ?1 AND deleted = 0 AND (order_key, id) < (?2, ?3)
        ORDER BY place DESC, id DESC LIMIT 1
        """
    private static let itemsByPrefix = """
        SELECT id, confirmed, shown FROM item WHERE list = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT ?4
        """
    /// Reads the index of ids; rows are looked at only where the id fits.
    private static let itemsBySuffix = """
        SELECT id, confirmed, shown FROM item
        WHERE list = ?1 AND (?2 = '' OR substr(id, -length(?2)) = ?2) ORDER BY id LIMIT ?3
        """
    private static let conflictedItems = """
        SELECT id, confirmed, shown FROM item INDEXED BY item_conflicted WHERE list = ? AND conflicted = 1 ORDER BY id
        """
    private static let changedItems = """
        SELECT id, confirmed, shown, stamp, list FROM item WHERE stamp > ? ORDER BY stamp LIMIT ?
        """
}

extension StoredItem {
    /// Reads the columns `confirmed, shown`.
    init(row: Statement, id: ItemID) throws {
        let confirmed = row.isNull(at: 0) ? nil : try ItemCoding.decode(row.blob(at: 0), id: id)
        let shown = row.isNull(at: 1) ? confirmed : try ItemCoding.decode(row.blob(at: 1), id: id)
        guard let shown else { throw InvalidItem(.shape, "an item without a state") }
        self.init(confirmed: confirmed, shown: shown)
    }
}

extension Statement {
    /// Ends a run that was stopped half-way. An error of the run itself has been thrown by `step()` before.
    func cancel() {
        // A read that is abandoned has nothing left to fail at.
        try? reset()
    }
}
