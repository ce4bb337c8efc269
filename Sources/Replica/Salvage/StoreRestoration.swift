import Sync
import TandemItems

/// Puts what was salvaged into a new store, inside the transaction that makes it.
struct StoreRestoration {
    let change: ReplicaChange
    let new: NewStore

    /// The lists start without a cursor, so that a hub's items are all fetched anew; a store without a hub gets those
    /// that could be read.
    func restore(_ salvage: inout Salvage, _ damaged: DamagedStore?) throws {
        let record = try record(of: salvage)
        try change.put(record)
        for list in lists(of: salvage) { try change.put(list) }
        if record.membership == nil, let damaged { try restoreItems(&salvage, damaged) }
        for quarantined in salvage.quarantined { try change.put(quarantined) }
        try restorePending(salvage.pending)
    }

    /// The old record; where it is lost, a new one under the replica id that the pending mutations were minted under.
    private func record(of salvage: Salvage) throws -> StoreRecord {
        if let record = salvage.record { return record }
        var record = new.makeRecord()
        if let author = salvage.pending.last?.mutation.replica { record.replica = author }
        return record
    }

    private func lists(of salvage: Salvage) -> [ReplicaList] {
        var lists = salvage.lists
        let numbers =
            salvage.pending.map { ($0.list, $0.mutation.n) } + salvage.quarantined.map { ($0.list, $0.mutation.n) }
        for (name, n) in numbers {
            let known = lists.firstIndex { $0.name == name }
            if known == nil { lists.append(ReplicaList(name: name, kind: ListKind("item"))) }
            let index = known ?? lists.count - 1
            lists[index].lastN = max(lists[index].lastN, n)
        }
        for index in lists.indices { (lists[index].cursor, lists[index].seen) = (nil, nil) }
        return lists.isEmpty ? new.lists : lists
    }

    private func restoreItems(_ salvage: inout Salvage, _ damaged: DamagedStore) throws {
        var count = 0
        let lost = damaged.forEachConfirmed { list, item in
            try change.put(StoredItem(confirmed: item, shown: item), in: list)
            count += 1
        }
        salvage.items = count
        if lost > 0 { salvage.losses.append("items: \(lost) unreadable places") }
    }

    private func restorePending(_ pending: [Salvage.Pending]) throws {
        var byItem: [ListName: [ItemID: [Mutation]]] = [:]
        var stored: [ListName: Set<Int64>] = [:]
        for entry in pending where stored[entry.list, default: []].insert(entry.mutation.n).inserted {
            try change.append(entry.mutation, in: entry.list)
            byItem[entry.list, default: [:]][entry.mutation.item, default: []].append(entry.mutation)
        }
        for (list, items) in byItem {
            for (id, mutations) in items {
                let confirmed = try change.item(id, in: list)?.confirmed
                let ordered = mutations.sorted { $0.n < $1.n }
                guard let shown = Item.shown(confirmed, with: ordered) else { continue }
                try change.put(StoredItem(confirmed: confirmed, shown: shown), in: list)
            }
        }
    }
}
