import SQLite
import Sync
import TandemItems

/// The statements that a page of items is stored with, held ready: a first sync runs them for every item.
struct ItemStatements {
    private let inserting: Statement
    private let finding: Statement
    private let updating: Statement
    private let connection: Connection

    init(_ connection: Connection) throws {
        self.connection = connection
        inserting = try connection.prepare(
            """
            INSERT INTO item (stamp, order_key, deleted, conflicted, confirmed, shown, list, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (list, id) DO NOTHING
            """)
        finding = try connection.prepare("SELECT stamp, deleted FROM item WHERE list = ? AND id = ?")
        updating = try connection.prepare(
            """
            UPDATE item SET stamp = ?, order_key = ?, deleted = ?, conflicted = ?, confirmed = ?, shown = ?
            WHERE stamp = ?
            """)
    }

    /// Stores an item under a stamp; answers by how much the number of items that are not deleted has changed.
    ///
    /// Inserts first, since the insert itself finds out whether the item is there, and most of a first sync is not.
    func put(_ item: StoredItem, in list: Int64, stamp: Int64) throws -> Int {
        let row = ItemRow(item)
        try row.bind(stamp, to: inserting)
        try inserting.bind(list, at: 7)
        try inserting.bind(item.shown.id.text, at: 8)
        _ = try inserting.step()
        guard connection.changes == 0 else { return row.isDeleted ? 0 : 1 }
        let old = try find(item.shown.id, in: list)
        try row.bind(stamp, to: updating)
        try updating.bind(old.stamp, at: 7)
        _ = try updating.step()
        return (row.isDeleted ? 0 : 1) - (old.isDeleted ? 0 : 1)
    }

    private func find(_ id: ItemID, in list: Int64) throws -> (stamp: Int64, isDeleted: Bool) {
        let row = try finding.first(list, id.text) { (stamp: $0.int64(at: 0), isDeleted: $0.int64(at: 1) != 0) }
        guard let row else { throw ReplicaStorageError(.corrupt, "an index of items disagrees with its table") }
        return row
    }
}

/// An item as the columns of its row.
private struct ItemRow {
    let isDeleted: Bool
    private let orderKey: String?
    private let isConflicted: Bool
    private let confirmed: [UInt8]?
    private let shown: [UInt8]?

    init(_ item: StoredItem) {
        let id = item.shown.id
        isDeleted = item.shown.isDeleted
        orderKey = item.shown[.order].string.flatMap { $0.utf8.elementsEqual(id.text.utf8) ? nil : $0 }
        isConflicted = !item.shown.conflicts.isEmpty
        confirmed = item.confirmed.map(ItemCoding.encode)
        shown = item.confirmed == item.shown ? nil : ItemCoding.encode(item.shown)
    }

    /// Binds the first six parameters.
    func bind(_ stamp: Int64, to statement: Statement) throws {
        try statement.bind(stamp, at: 1)
        try statement.bind(orderKey, at: 2)
        try statement.bind(isDeleted ? 1 : 0, at: 3)
        try statement.bind(isConflicted ? 1 : 0, at: 4)
        try statement.bind(confirmed, at: 5)
        try statement.bind(shown, at: 6)
    }
}
