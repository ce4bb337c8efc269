import Hub
import SQLite
import TandemItems

extension SQLiteHubSession {
    func lists() throws -> [HubList] {
        try answer {
            try database.prepare("SELECT name, kind, head, digest FROM list ORDER BY name").all { row in
                HubList(
                    name: try stored { try ListName(row.text(at: 0)) }, kind: ListKind(row.text(at: 1)),
                    head: Version(row.int64(at: 2)), digest: row.text(at: 3))
            }
        }
    }

    func list(_ name: ListName) throws -> HubList? {
        try answer { try row(of: name)?.list }
    }

    func add(_ list: HubList) throws {
        try answer {
            guard try row(of: list.name) == nil else {
                throw HubStorageError(.failed, "there is a list \(list.name) already")
            }
            guard list.head == .none else { throw HubStorageError(.failed, "a new list starts at sequence 0") }
            try run(
                "INSERT INTO list(name, kind, head, digest, start) VALUES(?1, ?2, 0, ?3, ?3)",
                list.name.text, list.kind.text, list.digest)
            remember(nil, of: list.name)
        }
    }

    func removeList(_ name: ListName) throws {
        try answer {
            let key = try existing(name).key
            for table in ["item", "history", "refusal"] { try run("DELETE FROM \(table) WHERE list=?", key) }
            try run("DELETE FROM list WHERE key=?", key)
            changes.remove(name)
            remember(nil, of: name)
            forgetPlace()
        }
    }

    func replicaNames() throws -> [ReplicaID: String] {
        try answer {
            var names: [ReplicaID: String] = [:]
            try database.prepare("SELECT id, name FROM replica WHERE name IS NOT NULL").query { row in
                names[try stored { try ReplicaID(row.text(at: 0)) }] = row.text(at: 1)
            }
            return names
        }
    }

    func setName(_ name: String, of replica: ReplicaID) throws {
        try answer { try run("UPDATE replica SET name=? WHERE key=?", name, try madeKey(of: replica)) }
    }

    /// Reads what was stored; what does not follow its own rule is damage.
    func stored<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as InvalidItem {
            throw HubStorageError(.corrupt, "the store holds what it cannot have stored: \(error)")
        } catch let error as JSONError {
            throw HubStorageError(.corrupt, "the store holds what it cannot have stored: \(error)")
        }
    }
}
