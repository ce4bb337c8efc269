import TandemItems

/// What comes from the hub, on its way through one write transaction. The one place that writes confirmed items, and
/// it writes only what the hub has sent.
struct Intake {
    private struct Entry {
        let before: StoredItem?
        var confirmed: Item?
    }

    private let list: ListName
    private let store: any ReplicaTransaction
    private let hasPending: Bool
    private var entries: [ItemID: Entry] = [:]
    private var touched: [ItemID] = []

    init(_ list: ListName, _ store: any ReplicaTransaction) throws {
        self.list = list
        self.store = store
        hasPending = try store.hasPending(in: list)
    }

    /// An item's version decides alone: it is taken over if it is greater than the stored one.
    mutating func take(_ item: Item) throws {
        guard item.version > (try entry(item.id)).confirmed?.version ?? .none else { return }
        entries[item.id]?.confirmed = item
    }

    /// A mutation leaves when its outcome is applied. It is found by its nonce: it may have been renumbered meanwhile.
    /// Says whether it was still there.
    @discardableResult
    mutating func settle(_ mutation: Mutation) throws -> Bool {
        let pending = try store.pending(of: mutation.item, in: list)
        guard let settled = pending.first(where: { $0.nonce == mutation.nonce }) else { return false }
        _ = try entry(mutation.item)
        try store.removePending(settled.n, in: list)
        return true
    }

    /// An answer that comes twice puts nothing back that someone has retried or discarded meanwhile.
    mutating func quarantine(_ mutation: Mutation, _ refusal: Refusal, at now: Timestamp) throws {
        guard try settle(mutation) else { return }
        try store.put(QuarantinedMutation(list: list, mutation: mutation, refusal: refusal, since: now))
    }

    /// Stores the items and gives what is to be told after the commit.
    func finish() throws -> [Commit] {
        var changes: [ItemChange] = []
        for id in touched {
            guard let entry = entries[id] else { continue }
            let after = StoredItem(confirmed: entry.confirmed, shown: try shown(id, entry.confirmed))
            guard after != entry.before else { continue }
            try store.put(after, in: list)
            if let change = ItemChange(from: entry.before?.shown, to: after.shown) { changes.append(change) }
        }
        guard !changes.isEmpty else { return [] }
        return [Commit(stamp: try store.lastStamp(), list: list, source: .remote, changes: changes)]
    }

    private mutating func entry(_ id: ItemID) throws -> Entry {
        if let entry = entries[id] { return entry }
        let stored = try store.item(id, in: list)
        let entry = Entry(before: stored, confirmed: stored?.confirmed)
        entries[id] = entry
        touched.append(id)
        return entry
    }

    /// An item that only a refused mutation had made is shown as deleted: its values are in quarantine.
    private func shown(_ id: ItemID, _ confirmed: Item?) throws -> Item {
        let pending = hasPending ? try store.pending(of: id, in: list) : []
        return try Item.shown(confirmed, with: pending) ?? .gone(id, for: store.record().replica)
    }
}

extension Item {
    /// What is shown of an item of which nothing is confirmed and nothing pending any more: it is deleted.
    static func gone(_ id: ItemID, for replica: ReplicaID) -> Item {
        var gone = Item(id: id)
        gone.fields[.deleted] = Field(
            true, Origin(version: .none, replica: replica, n: 0, at: Timestamp(milliseconds: 0)))
        return gone
    }
}
