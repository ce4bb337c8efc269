import Hub
import SQLite
import TandemItems

/// What a body sees of the database: one transaction of one connection, writing or reading.
///
/// It remembers the keys of lists and replicas, which nobody else can change while the transaction is open, and its
/// first failure, so that a body cannot go on after it.
final class SQLiteHubSession: HubTransaction {
    /// A list's row.
    struct ListRow {
        var key: Int64
        var list: HubList
        /// The digest at sequence 0.
        var start: String
        /// Whether any number was refused in it, which is rare.
        var hasRefusals: Bool
    }

    /// Where an item is.
    struct ItemPlace {
        /// Of its row.
        var key: Int64
        var version: Version
    }

    let database: HubDatabase
    /// Rows that were written.
    private(set) var rowsWritten = 0
    private(set) var failure: HubStorageError?
    var changes = ItemChanges()
    private var listRows: [ListName: ListRow] = [:]
    private var replicaKeys: [ReplicaID: Int64] = [:]
    /// Of the item that was read last: most bodies write what they have just read.
    private var recent: (list: Int64, id: ItemID, place: ItemPlace?)?

    init(_ database: HubDatabase) { self.database = database }

    /// Throws what a call has thrown, even if the body caught it. Nothing can be called afterwards.
    func end() throws {
        if let failure { throw failure }
        try changes.check()
        failure = HubStorageError(.failed, "the transaction is over")
    }

    func epoch() throws -> Epoch {
        try answer {
            let text = try database.prepare("SELECT value FROM meta WHERE name='epoch'").first { $0.text(at: 0) }
            guard let text else { throw HubStorageError(.corrupt, "the store has no epoch") }
            return Epoch(text)
        }
    }

    /// Every call goes through here: none is made after a failure, and SQLite's errors become the port's.
    func answer<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try body()
        } catch let error as SQLiteError {
            throw fail(HubStorageError(error))
        } catch let error as HubStorageError {
            throw fail(error)
        }
    }

    /// Runs a frequent statement that changes rows.
    func run(_ statement: HubStatement, _ values: (any Bindable)?...) throws {
        try database.statement(statement).run(values: values)
        rowsWritten += 1
    }

    /// Runs a statement that changes rows.
    func run(_ sql: String, _ values: (any Bindable)?...) throws {
        try database.prepare(sql).run(values: values)
        rowsWritten += 1
    }

    /// The row of a list, `nil` where there is none.
    func row(of name: ListName) throws -> ListRow? {
        if let known = listRows[name] { return known }
        let row = try database.statement(.list).first(name.text) { row in
            ListRow(
                key: row.int64(at: 0),
                list: HubList(
                    name: name, kind: ListKind(row.text(at: 1)), head: Version(row.int64(at: 2)),
                    digest: row.text(at: 3)),
                start: row.text(at: 4), hasRefusals: row.int64(at: 5) != 0)
        }
        listRows[name] = row
        return row
    }

    /// The row of a list that is to be written to.
    func existing(_ name: ListName) throws -> ListRow {
        guard let row = try row(of: name) else { throw HubStorageError(.failed, "there is no list \(name)") }
        return row
    }

    /// Remembers a list's row as it was written; `nil` forgets it.
    func remember(_ row: ListRow?, of name: ListName) { listRows[name] = row }

    /// Where an item is, `nil` where there is none.
    func place(of id: ItemID, in list: Int64) throws -> ItemPlace? {
        if let recent, recent.list == list, recent.id == id { return recent.place }
        return try database.statement(.itemPlace).first(list, id.text) { row in
            ItemPlace(key: row.int64(at: 0), version: Version(row.int64(at: 1)))
        }
    }

    func remember(_ place: ItemPlace?, of id: ItemID, in list: Int64) { recent = (list, id, place) }

    /// Call it when an item is written.
    func forgetPlace() { recent = nil }

    /// The key of a replica, `nil` where none has it.
    func key(of replica: ReplicaID) throws -> Int64? {
        if let known = replicaKeys[replica] { return known }
        let key = try database.statement(.replica).first(replica.text) { $0.int64(at: 0) }
        replicaKeys[replica] = key
        return key
    }

    /// The key of a replica, which it is given if it has none.
    func madeKey(of replica: ReplicaID) throws -> Int64 {
        if let key = try key(of: replica) { return key }
        try run(.makeReplica, replica.text)
        let key = database.connection.lastInsertRowID
        replicaKeys[replica] = key
        return key
    }

    private func fail(_ error: HubStorageError) -> HubStorageError {
        if failure == nil { failure = error }
        return error
    }
}
