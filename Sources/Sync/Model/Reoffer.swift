import Platform
import TandemItems

/// Makes a list of one hub history ready for another: no version of the former is comparable to those of the latter,
/// so no item stays confirmed, whatever its state.
///
/// - An item that is there becomes pending again, each value under the stamp with which it was written, and before what
///   was pending on it.
/// - The other values of its open conflicts are offered too, each as the write of a replica that wrote nothing else: under
///   this one's id a value would be taken for one that this replica has itself replaced.
/// - A deleted one is offered no more: its deletion was seen by nobody who writes the new history. Where that still has
///   the item, the item comes back.
struct Reoffer {
    private let store: any ReplicaTransaction
    private let random: any RandomSource
    private let replica: ReplicaID
    private var list: ReplicaList

    /// `nil` where there is no such list.
    init?(_ name: ListName, _ store: any ReplicaTransaction, _ random: any RandomSource) throws {
        guard let list = try store.list(name) else { return nil }
        self.store = store
        self.random = random
        self.list = list
        replica = try store.record().replica
    }

    consuming func run() throws {
        // Walked by stamp, since that order holds deleted items too. What is stored anew gets stamps past the end.
        let end = try store.lastStamp()
        var stamp: Int64 = 0
        while case let changes = try store.changes(after: stamp, limit: 1_000), let last = changes.last {
            for change in changes where change.stamp <= end && change.list == list.name { try offer(change.item.id) }
            guard last.stamp < end else { break }
            stamp = last.stamp
        }
        list.cursor = nil
        list.seen = nil
        try store.put(list)
    }

    private mutating func offer(_ id: ItemID) throws {
        guard let stored = try store.item(id, in: list.name), let confirmed = stored.confirmed else { return }
        let pending = try store.pending(of: id, in: list.name)
        for mutation in pending { try store.removePending(mutation.n, in: list.name) }
        // Conflicts that a pending edit settles are gone from the view.
        let open = confirmed.isDeleted ? [] : stored.shown.conflicts
        let offered = confirmed.isDeleted ? [] : offers(of: confirmed, besides: pending)
        let mutations = open.filter { !pending.offer($0) }.map { offer($0, of: id) } + offered + pending
        var renumbered: [Mutation] = []
        for var mutation in mutations {
            list.lastN += 1
            mutation.n = list.lastN
            mutation.base = .none
            try store.append(mutation, in: list.name)
            renumbered.append(mutation)
        }
        let shown = Item.shown(nil, with: renumbered) ?? .gone(id, for: replica)
        try store.put(StoredItem(confirmed: nil, shown: shown), in: list.name)
    }

    private func offer(_ conflict: Conflict, of id: ItemID) -> Mutation {
        Mutation(
            replica: ReplicaID(random: (random.next(), random.next())), n: 0, nonce: Nonce(random: random.next()),
            item: id, base: .none, set: [conflict.field: conflict.value], at: conflict.origin.at)
    }

    /// One mutation for each stamp, in the order of time.
    private func offers(of item: Item, besides pending: [Mutation]) -> [Mutation] {
        let fields = item.fields.entries.filter { !pending.offer($0.name, $0.value.value, at: $0.value.origin.at) }
        let byTime = Dictionary(grouping: fields, by: \.value.origin.at)
        return byTime.sorted { $0.key < $1.key }.map { at, fields in
            Mutation(
                replica: replica, n: 0, nonce: Nonce(random: random.next()), item: item.id, base: .none,
                set: fields.reduce(into: FieldMap()) { $0[$1.name] = $1.value.value }, at: at)
        }
    }
}

/// What was offered before and has not been answered is not offered once more: a hub whose history changes again and
/// again makes no edits out of nothing.
extension [Mutation] {
    fileprivate func offer(_ name: FieldName, _ value: JSON, at: Timestamp) -> Bool {
        contains { $0.at == at && $0.set[name] == value }
    }

    fileprivate func offer(_ conflict: Conflict) -> Bool {
        contains { $0.at == conflict.origin.at && $0.set == [conflict.field: conflict.value] }
    }
}
