import SQLite
import Sync
import TandemItems

/// A damaged store, opened for reading only. Nothing in it throws: what cannot be read is a loss to be reported.
struct DamagedStore {
    private let connection: Connection

    /// `nil` where not even the file can be opened.
    init?(_ files: ReplicaFiles) {
        // Why it cannot be opened changes nothing: then there is nothing to salvage.
        guard let connection = try? Connection(path: files.database, mode: .readOnly) else { return nil }
        self.connection = connection
    }

    /// Everything but the items.
    func read(into salvage: inout Salvage) {
        salvage.record = record()
        if salvage.record == nil { salvage.losses.append("the store's record") }
        var lists: [ReplicaList] = []
        var pending: [Salvage.Pending] = []
        var quarantined: [QuarantinedMutation] = []
        let gaps = [
            "lists": forEach("list", ReplicaSnapshot.listColumns) { lists.append(try ReplicaList(row: $0, from: 1)) },
            "pending changes": forEach("pending", "list, mutation") { row in
                let mutation = try Mutation(json: JSON(parsing: row.blob(at: 2)))
                pending.append(Salvage.Pending(list: try ListName(row.text(at: 1)), mutation: mutation))
            },
            "quarantined changes": forEach("quarantine", ReplicaSnapshot.quarantineColumns) {
                quarantined.append(try QuarantinedMutation(row: $0, from: 1))
            },
        ]
        salvage.lists = lists
        salvage.pending = pending
        salvage.quarantined = quarantined
        for (what, count) in gaps.sorted(by: { $0.key < $1.key }) where count > 0 {
            salvage.losses.append("\(what): \(count) unreadable places")
        }
    }

    /// Calls `body` for each confirmed item that can be read; what it throws is counted as unreadable. Answers how
    /// many places were not readable.
    func forEachConfirmed(_ body: (ListName, Item) throws -> Void) -> Int {
        var names: [Int64: ListName] = [:]
        let lost = forEach("list", "name") { names[$0.int64(at: 0)] = try ListName($0.text(at: 1)) }
        let gaps = forEach("item", "list, id, confirmed", key: "stamp") { row in
            guard !row.isNull(at: 3) else { return }
            guard let list = names[row.int64(at: 1)] else { throw InvalidItem(.shape, "an item without its list") }
            try body(list, try ItemCoding.decode(row.blob(at: 3), id: try ItemID(row.text(at: 2))))
        }
        return lost + gaps
    }

    private func record() -> StoreRecord? {
        // An unreadable record is reported as lost by the caller.
        try? ReplicaSnapshot(connection).record()
    }

    private func forEach(
        _ table: String, _ columns: String, key: String = "key", _ body: (Statement) throws -> Void
    ) -> Int {
        DamagedTable(connection: connection, table: table, key: key, columns: columns).forEach(body)
    }
}
