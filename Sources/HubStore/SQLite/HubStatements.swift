import SQLite

/// The statements that every mutation needs, found by number: looking SQL up by its text costs as much as running it.
enum HubStatement: Int, CaseIterable {
    case savepoint, rollBackToSavepoint, releaseSavepoint
    case list, moveHead
    case replica, makeReplica
    case item, itemPlace, updateItem, insertItem
    case acceptance, refusal, append, entry

    var sql: String {
        switch self {
        case .savepoint: "SAVEPOINT body"
        case .rollBackToSavepoint: "ROLLBACK TO body"
        case .releaseSavepoint: "RELEASE body"
        case .list:
            """
            SELECT key, kind, head, digest, start, EXISTS(SELECT 1 FROM refusal WHERE list=key) FROM list WHERE name=?
            """
        case .moveHead: "UPDATE list SET head=?, digest=? WHERE key=?"
        case .replica: "SELECT key FROM replica WHERE id=?"
        case .makeReplica: "INSERT INTO replica(id) VALUES(?)"
        case .item: "SELECT key, version, json FROM item WHERE list=? AND id=?"
        case .itemPlace: "SELECT key, version FROM item WHERE list=? AND id=?"
        case .updateItem: "UPDATE item SET version=?, live=?, json=? WHERE key=?"
        case .insertItem: "INSERT INTO item(list, id, version, live, json) VALUES(?, ?, ?, ?, ?)"
        case .acceptance: "SELECT nonce, sequence FROM history WHERE list=? AND replica=? AND n=?"
        case .refusal: "SELECT nonce, code, message FROM refusal WHERE list=? AND replica=? AND n=?"
        case .append:
            """
            INSERT INTO history(list, sequence, replica, n, nonce, item, previous, digest, entry)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .entry: "SELECT previous, entry FROM history WHERE list=? AND sequence=? AND item=?"
        }
    }
}

/// A connection with its frequent statements at hand. Belongs to the connection's executor.
final class HubDatabase {
    let connection: Connection
    private var statements = [Statement?](repeating: nil, count: HubStatement.allCases.count)

    init(_ connection: Connection) { self.connection = connection }

    /// A frequent statement, compiled once.
    func statement(_ statement: HubStatement) throws -> Statement {
        if let known = statements[statement.rawValue] { return known }
        let made = try connection.prepare(statement.sql)
        statements[statement.rawValue] = made
        return made
    }

    /// Any other statement.
    func prepare(_ sql: String) throws -> Statement { try connection.prepare(sql) }

    func close() {
        statements = []
        connection.close()
    }
}
