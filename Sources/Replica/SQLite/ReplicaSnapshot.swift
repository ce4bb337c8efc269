import SQLite
import Sync
import TandemItems

/// One open transaction of a connection, as the core model reads it. Lives no longer than the transaction.
///
/// After an error of SQLite every further call throws the same error: a full disk, for one, ends the transaction by
/// itself, and a body that went on would read and write outside of it.
class ReplicaSnapshot: ReplicaReading {
    let connection: Connection
    /// Keys of lists that were looked up in this transaction.
    var listKeys: [ListName: Int64] = [:]
    private(set) var failure: ReplicaStorageError?

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Runs one call; turns what the layers below throw into the port's error and remembers it.
    final func checked<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try body()
        } catch let error as ReplicaStorageError {
            throw error
        } catch {
            let error = ReplicaStorageError(error)
            failure = error
            throw error
        }
    }

    final func prepare(_ sql: String) throws -> Statement { try connection.prepare(sql) }

    /// The list's key in the item table, `nil` where there is no such list.
    final func key(of list: ListName) throws -> Int64? {
        if let key = listKeys[list] { return key }
        let key = try prepare("SELECT key FROM list WHERE name = ?").first(list.text) { $0.int64(at: 0) }
        listKeys[list] = key
        return key
    }

    final func record() throws -> StoreRecord {
        try checked {
            let bytes = try prepare("SELECT value FROM meta WHERE key = 'record'").first { $0.blob(at: 0) }
            guard let bytes else { throw ReplicaStorageError(.corrupt, "the store has no record of itself") }
            return try StoreRecord(json: JSON(parsing: bytes))
        }
    }

    final func lists() throws -> [ReplicaList] {
        try checked {
            try prepare("SELECT \(Self.listColumns) FROM list ORDER BY key").all { try ReplicaList(row: $0) }
        }
    }

    final func list(_ name: ListName) throws -> ReplicaList? {
        try checked {
            try prepare("SELECT \(Self.listColumns) FROM list WHERE name = ?").first(name.text) {
                try ReplicaList(row: $0)
            }
        }
    }

    /// How many items are shown and not deleted.
    func itemCount(of list: ListName) throws -> Int {
        try prepare("SELECT items FROM list WHERE name = ?").first(list.text) { Int($0.int64(at: 0)) } ?? 0
    }

    final func counts(of list: ListName) throws -> ListCounts {
        try checked {
            let count = { [self] (sql: String, value: any Bindable) in
                try prepare(sql).first(value) { Int($0.int64(at: 0)) } ?? 0
            }
            guard let key = try key(of: list) else { return ListCounts() }
            return ListCounts(
                items: try itemCount(of: list),
                pending: try count("SELECT count(*) FROM pending WHERE list = ?", list.text),
                conflicts: try count("SELECT count(*) FROM item WHERE list = ? AND conflicted = 1", key),
                quarantined: try count("SELECT count(*) FROM quarantine WHERE list = ?", list.text))
        }
    }

    final func replicaNames() throws -> [ReplicaID: String] {
        try checked {
            var names: [ReplicaID: String] = [:]
            try prepare("SELECT id, name FROM replica_name").query {
                names[try ReplicaID($0.text(at: 0))] = $0.text(at: 1)
            }
            return names
        }
    }

    static let listColumns = "name, kind, role, cursor, seen, last_n"
}

extension ReplicaList {
    /// Reads the columns `name, kind, role, cursor, seen, last_n`, which start at a column.
    init(row: Statement, from column: Int = 0) throws {
        self.init(
            name: try ListName(row.text(at: column)), kind: ListKind(row.text(at: column + 1)),
            lastN: row.int64(at: column + 5))
        if let text = row.optionalText(at: column + 2) {
            guard let role = Role(rawValue: text) else { throw InvalidItem(.shape, "an unknown role") }
            self.role = role
        }
        cursor = try Self.place(row.optionalText(at: column + 3))
        seen = try Self.place(row.optionalText(at: column + 4))
    }

    private static func place(_ text: String?) throws -> Cursor? {
        guard let text else { return nil }
        guard let cursor = Cursor(text) else { throw InvalidItem(.shape, "not a cursor") }
        return cursor
    }
}
