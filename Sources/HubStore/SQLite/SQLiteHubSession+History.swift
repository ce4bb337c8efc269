import Hub
import SQLite
import TandemItems

extension SQLiteHubSession {
    func digest(in list: ListName, at sequence: Version) throws -> String? {
        try answer {
            guard let list = try row(of: list) else { return nil }
            if sequence == .none { return list.start }
            if sequence == list.list.head { return list.list.digest }
            let sql = "SELECT digest FROM history WHERE list=? AND sequence=?"
            return try connection.prepare(sql).first(list.key, sequence.number) { $0.text(at: 0) }
        }
    }

    func history(of item: ItemID, in list: ListName) throws -> [HistoryEntry] {
        try answer {
            guard let list = try row(of: list) else { return [] }
            let sql = "SELECT entry FROM history WHERE list=? AND item=? ORDER BY sequence"
            return try connection.prepare(sql).all(list.key, item.text) { row in
                try stored { try HistoryEntry(json: try JSON(parsing: row.blob(at: 0))) }
            }
        }
    }

    func ledgerEntry(in list: ListName, replica: ReplicaID, n: Int64) throws -> LedgerEntry? {
        try answer {
            guard let list = try row(of: list), let replica = try key(of: replica) else { return nil }
            return try acceptance(list.key, replica, n) ?? refusal(list.key, replica, n)
        }
    }

    func append(_ entry: HistoryEntry, digest: String, in list: ListName) throws {
        try answer {
            var row = try existing(list)
            guard entry.sequence == row.list.head.next else {
                throw HubStorageError(.failed, "sequence \(entry.sequence) does not follow \(row.list.head)")
            }
            let mutation = entry.mutation
            let replica = try madeKey(of: mutation.replica)
            guard try refusal(row.key, replica, mutation.n) == nil else { throw wasAnswered(mutation) }
            try run(
                """
                INSERT INTO history(list, sequence, replica, n, nonce, item, digest, entry)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?)
                """,
                row.key, entry.sequence.number, replica, mutation.n, mutation.nonce.text, mutation.item.text, digest,
                UTF8Text(entry.json))
            try run("UPDATE list SET head=?, digest=? WHERE key=?", entry.sequence.number, digest, row.key)
            row.list.head = entry.sequence
            row.list.digest = digest
            remember(row, of: list)
        }
    }

    func record(_ refusal: Refusal, of mutation: Mutation, in list: ListName) throws {
        try answer {
            let list = try existing(list).key
            let replica = try madeKey(of: mutation.replica)
            guard try acceptance(list, replica, mutation.n) == nil else { throw wasAnswered(mutation) }
            try run(
                "INSERT INTO refusal(list, replica, n, nonce, code, message) VALUES(?, ?, ?, ?, ?, ?)",
                list, replica, mutation.n, mutation.nonce.text, refusal.code, refusal.message)
        }
    }

    private func acceptance(_ list: Int64, _ replica: Int64, _ n: Int64) throws -> LedgerEntry? {
        let sql = "SELECT nonce, sequence FROM history WHERE list=? AND replica=? AND n=?"
        return try connection.prepare(sql).first(list, replica, n) { row in
            LedgerEntry(
                nonce: try stored { try Nonce(row.text(at: 0)) }, outcome: .accepted(Version(row.int64(at: 1))))
        }
    }

    private func refusal(_ list: Int64, _ replica: Int64, _ n: Int64) throws -> LedgerEntry? {
        let sql = "SELECT nonce, code, message FROM refusal WHERE list=? AND replica=? AND n=?"
        return try connection.prepare(sql).first(list, replica, n) { row in
            let refusal = Refusal(code: row.text(at: 1), message: row.text(at: 2))
            return LedgerEntry(nonce: try stored { try Nonce(row.text(at: 0)) }, outcome: .refused(refusal))
        }
    }

    private func wasAnswered(_ mutation: Mutation) -> HubStorageError {
        HubStorageError(.failed, "number \(mutation.n) of \(mutation.replica) was answered before")
    }
}
