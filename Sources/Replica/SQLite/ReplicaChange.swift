import SQLite
import Sync
import TandemItems

/// One open write transaction. What was written is read at once, by this object only.
final class ReplicaChange: ReplicaSnapshot, ReplicaTransaction {
    private let statements: ItemStatements
    /// The stamp to give next, read from the rows once in a transaction: nobody else writes while it is open.
    private var nextStamp: Int64?
    /// By how much the numbers of shown items have changed, by list key; stored by ``finish()``.
    private var countChanges: [Int64: Int] = [:]

    init(_ connection: Connection, _ statements: ItemStatements) {
        self.statements = statements
        super.init(connection)
    }

    /// What is left to write before the commit. Throws where an earlier call has failed, whatever the body made of it.
    func finish() throws {
        try checked {
            for (key, change) in countChanges where change != 0 {
                try prepare("UPDATE list SET items = items + ? WHERE key = ?").run(change, key)
            }
        }
    }

    override func itemCount(of list: ListName) throws -> Int {
        let change = try key(of: list).flatMap { countChanges[$0] } ?? 0
        return try super.itemCount(of: list) + change
    }

    func put(_ record: StoreRecord) throws {
        try checked {
            try prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('record', ?)").run(record.json.encoded())
        }
    }

    func put(_ list: ReplicaList) throws {
        try checked {
            try prepare(Self.putList).run(
                list.name.text, list.kind.text, list.role?.rawValue, list.cursor?.description,
                list.seen?.description, list.lastN)
        }
    }

    func removeList(_ name: ListName) throws {
        try checked {
            guard let key = try key(of: name) else { return }
            let floor = try storedStamp()
            try prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('stamp_floor', ?)").run(floor)
            try prepare("DELETE FROM item WHERE list = ?").run(key)
            try prepare("DELETE FROM pending WHERE list = ?").run(name.text)
            try prepare("DELETE FROM quarantine WHERE list = ?").run(name.text)
            try prepare("DELETE FROM list WHERE key = ?").run(key)
            listKeys[name] = nil
            countChanges[key] = nil
        }
    }

    func put(_ item: StoredItem, in list: ListName) throws {
        try checked {
            let key = try existingKey(of: list)
            let stamp = try nextStamp ?? storedStamp() + 1
            let change = try statements.put(item, in: key, stamp: stamp)
            nextStamp = stamp + 1
            if change != 0 { countChanges[key, default: 0] += change }
        }
    }

    func append(_ mutation: Mutation, in list: ListName) throws {
        try checked {
            _ = try existingKey(of: list)
            try prepare("INSERT INTO pending (list, n, item, mutation) VALUES (?, ?, ?, ?)").run(
                list.text, mutation.n, mutation.item.text, mutation.json.encoded())
        }
    }

    func removePending(_ n: Int64, in list: ListName) throws {
        try checked { try prepare("DELETE FROM pending WHERE list = ? AND n = ?").run(list.text, n) }
    }

    func put(_ quarantined: QuarantinedMutation) throws {
        try checked {
            _ = try existingKey(of: quarantined.list)
            try prepare(Self.putQuarantined).run(
                quarantined.id.text, quarantined.list.text, quarantined.mutation.json.encoded(),
                quarantined.refusal.code, quarantined.refusal.message, quarantined.since.milliseconds)
        }
    }

    func removeQuarantined(_ id: Nonce) throws {
        try checked { try prepare("DELETE FROM quarantine WHERE nonce = ?").run(id.text) }
    }

    func setNames(_ names: [ReplicaID: String]) throws {
        try checked {
            try prepare("DELETE FROM replica_name").run()
            for (id, name) in names {
                try prepare("INSERT INTO replica_name (id, name) VALUES (?, ?)").run(id.text, name)
            }
        }
    }

    private func existingKey(of list: ListName) throws -> Int64 {
        guard let key = try key(of: list) else { throw ReplicaStorageError.noList(list) }
        return key
    }

    private static let putList = """
        INSERT INTO list (name, kind, role, cursor, seen, last_n) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET
            kind = excluded.kind, role = excluded.role, cursor = excluded.cursor, seen = excluded.seen,
            last_n = excluded.last_n
        """
    private static let putQuarantined = """
        INSERT INTO quarantine (nonce, list, mutation, code, message, since) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (nonce) DO UPDATE SET
            list = excluded.list, mutation = excluded.mutation, code = excluded.code, message = excluded.message,
            since = excluded.since
        """
}
