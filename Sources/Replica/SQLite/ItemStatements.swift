import SQLite
import Sync
import TandemItems

/// The three statements that a page of items is stored with, held ready: a first sync runs them for every item.
struct ItemStatements {
    private let finding: Statement
    private let inserting: Statement
    private let updating: Statement

    init(_ connection: Connection) throws {
        finding = try connection.prepare("SELECT stamp, deleted FROM item WHERE list = ? AND id = ?")
        inserting = try connection.prepare(
            """
            INSERT INTO item (stamp, order_key, deleted, conflicted, confirmed, shown, list, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        updating = try connection.prepare(
            """
            UPDATE item SET stamp = ?, order_key = ?, deleted = ?, conflicted = ?, confirmed = ?, shown = ?
            WHERE stamp = ?
            """)
    }

    /// The row of an item.
    func find(_ id: ItemID, in list: Int64) throws -> (stamp: Int64, isDeleted: Bool)? {
        try finding.bind(list, at: 1)
        try finding.bind(id.text, at: 2)
        guard try finding.step() else { return nil }
        let row = (stamp: finding.int64(at: 0), isDeleted: finding.int64(at: 1) != 0)
        try finding.reset()
        return row
    }

    func insert(_ item: StoredItem, in list: Int64, stamp: Int64) throws {
        try bind(item, stamp, to: inserting)
        try inserting.bind(list, at: 7)
        try inserting.bind(item.shown.id.text, at: 8)
        _ = try inserting.step()
    }

    func update(_ item: StoredItem, from old: Int64, to stamp: Int64) throws {
        try bind(item, stamp, to: updating)
        try updating.bind(old, at: 7)
        _ = try updating.step()
    }

    private func bind(_ item: StoredItem, _ stamp: Int64, to statement: Statement) throws {
        let shown = item.shown
        let order = shown.orderKey
        try statement.bind(stamp, at: 1)
        try statement.bind(order.utf8.elementsEqual(shown.id.text.utf8) ? nil : order, at: 2)
        try statement.bind(shown.isDeleted ? 1 : 0, at: 3)
        try statement.bind(shown.conflicts.isEmpty ? 0 : 1, at: 4)
        try statement.bind(item.confirmed.map(ItemCoding.encode), at: 5)
        try statement.bind(item.confirmed == shown ? nil : ItemCoding.encode(shown), at: 6)
    }
}
