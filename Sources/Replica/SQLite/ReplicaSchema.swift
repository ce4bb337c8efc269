import SQLite

/// The tables of a replica's store, version 1.
///
/// - `item`: the row id is the local stamp of the item's last change, so that the table itself is the change feed. An
///   order key that equals the id is NULL, and so are confirmed bytes of an item no hub has, and shown bytes that equal
///   the confirmed ones.
/// - `list.items`: how many items are shown and not deleted. Counting a million takes 0.1 s, too long for a status;
///   every transaction that changes the rows changes the number, and the check after an unclean stop counts anew.
/// - `pending` and `quarantine` name their list in full: they are what must be readable when other pages are not.
/// - `meta`: `record`, `stamp_floor` (the last stamp of a list that was removed, so that no stamp is given twice),
///   `running` (there from the first write to a clean end).
enum ReplicaSchema {
    /// In `user_version`. A file with a greater one was written by a newer program.
    static let version: Int32 = 1
    /// In `application_id` (https://sqlite.org/fileformat2.html#application_id): "TndR".
    static let applicationID: Int64 = 0x546E_6452

    static let script = """
        PRAGMA application_id=\(applicationID);
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE list (
            key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, role TEXT, cursor TEXT,
            seen TEXT, last_n INTEGER NOT NULL, items INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE item (
            stamp INTEGER PRIMARY KEY, list INTEGER NOT NULL, id TEXT NOT NULL, order_key TEXT,
            deleted INTEGER NOT NULL, conflicted INTEGER NOT NULL, confirmed BLOB, shown BLOB, UNIQUE (list, id)
        );
        CREATE INDEX item_order ON item (list, order_key, id) WHERE deleted = 0;
        CREATE INDEX item_conflicted ON item (list, id) WHERE conflicted = 1;
        CREATE TABLE pending (
            key INTEGER PRIMARY KEY, list TEXT NOT NULL, n INTEGER NOT NULL, item TEXT NOT NULL,
            mutation BLOB NOT NULL, UNIQUE (list, n)
        );
        CREATE INDEX pending_item ON pending (list, item, n);
        CREATE TABLE quarantine (
            key INTEGER PRIMARY KEY, nonce TEXT NOT NULL UNIQUE, list TEXT NOT NULL, mutation BLOB NOT NULL,
            code TEXT NOT NULL, message TEXT NOT NULL, since INTEGER NOT NULL
        );
        CREATE INDEX quarantine_list ON quarantine (list);
        CREATE TABLE replica_name (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version=\(version);
        """
}
