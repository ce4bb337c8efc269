import Hub
import SQLite
import TandemItems

/// The tables of a hub's store, and how a file is known to be one.
///
/// Lists and replicas have integer keys, so that the rows that there are many of stay small. Items and history are
/// kept as their JSON, the very bytes that are sent. Text is compared bytewise (SQLite's BINARY collation).
enum HubSchema {
    /// `PRAGMA application_id`: "TdmH".
    static let applicationID: Int64 = 0x5464_6D48
    /// `PRAGMA user_version`.
    static let version: Int32 = 1

    /// - `item`: `live` first in the index on versions, so that a first sync reads live items only, and a later one
    ///   merges two ranges of one index. A rowid table: a page of changes looks its rows up by integers that grow as
    ///   the items were made.
    /// - `history`: in the order of its key, which is the order it is written in. Its unique index is the ledger.
    ///   `previous` is the sequence of the item's change before, 0 for the first: the history of an item is found
    ///   from its version backwards. An index on items would cost every mutation a page somewhere in its middle.
    static let tables = """
        CREATE TABLE meta(
            name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE list(
            key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            head INTEGER NOT NULL, digest TEXT NOT NULL, start TEXT NOT NULL
        ) STRICT;
        CREATE TABLE replica(
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT
        ) STRICT;
        CREATE TABLE item(
            key INTEGER PRIMARY KEY, list INTEGER NOT NULL, id TEXT NOT NULL,
            version INTEGER NOT NULL, live INTEGER NOT NULL, json TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX item_id ON item(list, id);
        CREATE INDEX item_version ON item(list, live, version);
        CREATE TABLE history(
            list INTEGER NOT NULL, sequence INTEGER NOT NULL, replica INTEGER NOT NULL, n INTEGER NOT NULL,
            nonce TEXT NOT NULL, item TEXT NOT NULL, previous INTEGER NOT NULL, digest TEXT NOT NULL, entry TEXT NOT NULL,
            PRIMARY KEY(list, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX history_number ON history(list, replica, n);
        CREATE TABLE refusal(
            list INTEGER NOT NULL, replica INTEGER NOT NULL, n INTEGER NOT NULL,
            nonce TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL,
            PRIMARY KEY(list, replica, n)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE token(
            name TEXT NOT NULL PRIMARY KEY, hash BLOB NOT NULL UNIQUE, role TEXT NOT NULL, lists TEXT NOT NULL,
            created INTEGER NOT NULL, expires INTEGER, revoked INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Whether the file is a hub's store that this program can use; `false` where it is still empty.
    ///
    /// Throws `.tooNew`, or `.corrupt` for a database of another program. Writes nothing.
    static func isMade(in connection: Connection) throws -> Bool {
        let application = try connection.prepare("PRAGMA application_id").first { $0.int64(at: 0) } ?? 0
        let schema = try connection.userVersion
        if application == 0, schema == 0, try isEmpty(connection) { return false }
        guard application == applicationID, schema > 0 else {
            throw HubStorageError(.corrupt, "the file is a database, but no store of a hub")
        }
        guard schema <= version else {
            throw HubStorageError(
                .tooNew, "the store has schema \(schema), this program knows schemas up to \(version)")
        }
        return true
    }

    /// Makes the tables of a new store. Call it within a transaction.
    static func make(in connection: Connection, epoch: Epoch) throws {
        try connection.execute(tables)
        try connection.prepare("INSERT INTO meta(name, value) VALUES('epoch', ?)").run(epoch.text)
        try connection.execute("PRAGMA application_id=\(applicationID)")
        try connection.setUserVersion(version)
    }

    private static func isEmpty(_ connection: Connection) throws -> Bool {
        try connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").first { _ in true } == nil
    }
}
