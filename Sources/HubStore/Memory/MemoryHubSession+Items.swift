package import Hub
package import TandemItems

/// Items and history. Lists are changed in place, through `state`: a copy in hand would copy their dictionaries.
extension MemoryHubSession {
    package func item(_ id: ItemID, in list: ListName) throws -> Item? {
        try check()
        return state.lists[list]?.items[id]?.item
    }

    package func items(
        in list: ListName, after: Version, through: Version, limit: Int, maximumBytes: Int, tombstonesAfter: Version
    ) throws -> [EncodedItem] {
        try check()
        var page: [EncodedItem] = []
        var bytes = 0
        for (item, encoded) in state.lists[list]?.items(after: after, through: through) ?? [] {
            guard item.isLive || item.version > tombstonesAfter else { continue }
            guard page.count < limit, page.isEmpty || bytes < maximumBytes else { break }
            page.append(encoded)
            bytes += encoded.json.count
        }
        return page
    }

    package func eachLiveItem(in list: ListName, _ body: (EncodedItem) throws -> Void) throws {
        try check()
        let live = state.lists[list]?.items.values.filter(\.item.isLive) ?? []
        for (_, encoded) in live.sorted(by: { $0.item.id < $1.item.id }) { try body(encoded) }
    }

    package func put(_ item: Item, in list: ListName) throws {
        let old = try existing(list).items[item.id]?.item
        state.lists[list]?.store(item, as: item.id)
        changes.put(item.version, at: .init(list: list, id: item.id), over: old?.version ?? .none)
        changed { $0.lists[list]?.store(old, as: item.id) }
    }

    package func digest(in list: ListName, at sequence: Version) throws -> String? {
        try check()
        guard let list = state.lists[list] else { return nil }
        if sequence == .none { return list.start }
        guard sequence > .none, sequence <= list.list.head else { return nil }
        return list.history[Int(sequence.number) - 1].digest
    }

    package func ledgerEntry(in list: ListName, replica: ReplicaID, n: Int64) throws -> LedgerEntry? {
        try check()
        return state.lists[list]?.ledger[.init(replica: replica, n: n)]
    }

    package func history(of item: ItemID, in list: ListName) throws -> [HistoryEntry] {
        try check()
        return state.lists[list]?.history.map(\.entry).filter { $0.mutation.item == item } ?? []
    }

    package func append(_ entry: HistoryEntry, digest: String, in list: ListName) throws {
        let old = try existing(list).list
        try check(entry.sequence == old.head.next, "sequence \(entry.sequence) does not follow \(old.head)")
        let outcome = LedgerEntry(nonce: entry.mutation.nonce, outcome: .accepted(entry.sequence))
        try record(outcome, of: entry.mutation, in: list)
        let place = ItemChanges.Place(list: list, id: entry.mutation.item)
        let stored = state.lists[list]?.items[place.id]?.item.version ?? .none
        state.lists[list]?.history.append(.init(entry: entry, digest: digest))
        state.lists[list]?.list.head = entry.sequence
        state.lists[list]?.list.digest = digest
        _ = changes.append(entry.sequence, at: place) { stored }
        changed {
            $0.lists[list]?.history.removeLast()
            $0.lists[list]?.list = old
        }
    }

    package func record(_ refusal: Refusal, of mutation: Mutation, in list: ListName) throws {
        try record(LedgerEntry(nonce: mutation.nonce, outcome: .refused(refusal)), of: mutation, in: list)
    }

    private func record(_ entry: LedgerEntry, of mutation: Mutation, in list: ListName) throws {
        let number = MemoryList.Number(replica: mutation.replica, n: mutation.n)
        let isFree = try existing(list).ledger[number] == nil
        try check(isFree, "number \(mutation.n) of \(mutation.replica) was answered before")
        state.lists[list]?.ledger[number] = entry
        changed { $0.lists[list]?.ledger[number] = nil }
    }
}
