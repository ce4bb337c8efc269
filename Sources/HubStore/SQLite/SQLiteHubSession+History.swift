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
            return try database.prepare(sql).first(list.key, sequence.number) { $0.text(at: 0) }
        }
    }

    /// Goes back from the item's version, each entry naming the one before it.
    func history(of item: ItemID, in list: ListName) throws -> [HistoryEntry] {
        try answer {
            guard let list = try row(of: list)?.key else { return [] }
            var entries: [HistoryEntry] = []
            var sequence = try place(of: item, in: list)?.version ?? .none
            while sequence > .none {
                let step = try database.statement(.entry).first(list, sequence.number, item.text) { row in
                    let entry = try stored { try HistoryEntry(json: try JSON(parsing: row.blob(at: 1))) }
                    return (entry, Version(row.int64(at: 0)))
                }
                guard let (entry, previous) = step, previous < sequence else {
                    throw HubStorageError(.corrupt, "the history of '\(item)' breaks off at \(sequence)")
                }
                entries.append(entry)
                sequence = previous
            }
            return entries.reversed()
        }
    }

    func ledgerEntry(in list: ListName, replica: ReplicaID, n: Int64) throws -> LedgerEntry? {
        try answer {
            guard let list = try row(of: list), let replica = try key(of: replica) else { return nil }
            return try acceptance(list.key, replica, n) ?? refusal(list, replica, n)
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
            guard try refusal(row, replica, mutation.n) == nil else { throw wasAnswered(mutation) }
            let place = ItemChanges.Place(list: list, id: mutation.item)
            let previous = try changes.append(entry.sequence, at: place) {
                try self.place(of: mutation.item, in: row.key)?.version ?? .none
            }
            try run(
                .append, row.key, entry.sequence.number, replica, mutation.n, mutation.nonce.text, mutation.item.text,
                previous.number, digest, UTF8Text(entry.json))
            try run(.moveHead, entry.sequence.number, digest, row.key)
            row.list.head = entry.sequence
            row.list.digest = digest
            remember(row, of: list)
        }
    }

    func record(_ refusal: Refusal, of mutation: Mutation, in list: ListName) throws {
        try answer {
            var row = try existing(list)
            let replica = try madeKey(of: mutation.replica)
            guard try acceptance(row.key, replica, mutation.n) == nil else { throw wasAnswered(mutation) }
            try run(
                "INSERT INTO refusal(list, replica, n, nonce, code, message) VALUES(?, ?, ?, ?, ?, ?)",
                row.key, replica, mutation.n, mutation.nonce.text, refusal.code, refusal.message)
            row.hasRefusals = true
            remember(row, of: list)
        }
    }

    private func acceptance(_ list: Int64, _ replica: Int64, _ n: Int64) throws -> LedgerEntry? {
        try database.statement(.acceptance).first(list, replica, n) { row in
            LedgerEntry(
                nonce: try stored { try Nonce(row.text(at: 0)) }, outcome: .accepted(Version(row.int64(at: 1))))
        }
    }

    private func refusal(_ list: ListRow, _ replica: Int64, _ n: Int64) throws -> LedgerEntry? {
        guard list.hasRefusals else { return nil }
        return try database.statement(.refusal).first(list.key, replica, n) { row in
            let refusal = Refusal(code: row.text(at: 1), message: row.text(at: 2))
            return LedgerEntry(nonce: try stored { try Nonce(row.text(at: 0)) }, outcome: .refused(refusal))
        }
    }

    private func wasAnswered(_ mutation: Mutation) -> HubStorageError {
        HubStorageError(.failed, "number \(mutation.n) of \(mutation.replica) was answered before")
    }
}
