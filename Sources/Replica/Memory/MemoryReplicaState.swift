package import Sync
package import TandemItems

/// One state of a store, as a value.
package struct MemoryReplicaState: Sendable {
    package struct Entry: Sendable {
        package var item: StoredItem
        package var stamp: Int64
    }

    package struct List: Sendable {
        package var list: ReplicaList
        package var entries: [ItemID: Entry] = [:]
        /// Sorted by number.
        package var pending: [Mutation] = []
    }

    package var storedRecord: StoreRecord
    package var storedLists: [List]
    package var storedQuarantine: [QuarantinedMutation] = []
    package var storedNames: [ReplicaID: String] = [:]
    package var stamp: Int64 = 0

    package init(record: StoreRecord, lists: [ReplicaList]) {
        storedRecord = record
        storedLists = lists.map { List(list: $0) }
    }

    func index(of list: ListName) -> Int? { storedLists.firstIndex { $0.list.name == list } }

    package func contents(of list: ListName) -> List? { index(of: list).map { storedLists[$0] } }
}

extension MemoryReplicaState: ReplicaReading {
    package func record() -> StoreRecord { storedRecord }

    package func lists() -> [ReplicaList] { storedLists.map(\.list) }

    package func list(_ name: ListName) -> ReplicaList? { contents(of: name)?.list }

    package func item(_ id: ItemID, in list: ListName) -> StoredItem? { contents(of: list)?.entries[id]?.item }

    package func items(in list: ListName, after place: Place?, limit: Int) -> [Item] {
        let items = ordered(list).filter { item in place.map { $0.isBefore(Place(item)) } ?? true }
        return Array(items.prefix(max(0, limit)))
    }

    package func item(before place: Place, in list: ListName) -> Item? {
        ordered(list).last { Place($0).isBefore(place) }
    }

    package func items(idPrefix: String, limit: Int) -> [(list: ListName, item: Item)] {
        items(limit) { $0.starts(with: idPrefix.utf8) }
    }

    package func items(idSuffix: String, limit: Int) -> [(list: ListName, item: Item)] {
        items(limit) { $0.suffix(idSuffix.utf8.count).elementsEqual(idSuffix.utf8) }
    }

    private func items(_ limit: Int, where fits: (String.UTF8View) -> Bool) -> [(list: ListName, item: Item)] {
        let found = storedLists.flatMap { list in
            list.shown.filter { fits($0.id.text.utf8) }.map { (list: list.list.name, item: $0) }
        }
        return Array(found.prefix(max(0, limit)))
    }

    package func conflicted(in list: ListName) -> [Item] {
        contents(of: list)?.shown.filter { !$0.conflicts.isEmpty } ?? []
    }

    package func changes(after stamp: Int64, limit: Int) -> [(stamp: Int64, list: ListName, item: Item)] {
        let changed = storedLists.flatMap { list in
            list.entries.values.filter { $0.stamp > stamp }.map {
                (stamp: $0.stamp, list: list.list.name, item: $0.item.shown)
            }
        }
        return Array(changed.sorted { $0.stamp < $1.stamp }.prefix(max(0, limit)))
    }

    package func lastStamp() -> Int64 { stamp }

    package func pending(in list: ListName, from n: Int64, limit: Int, maximumBytes: Int) -> [Mutation] {
        var mutations: [Mutation] = []
        var bytes = 0
        for mutation in contents(of: list)?.pending ?? [] where mutation.n >= n && mutations.count < limit {
            bytes += mutation.json.encoded().count
            guard mutations.isEmpty || bytes <= maximumBytes else { break }
            mutations.append(mutation)
        }
        return mutations
    }

    package func pending(of item: ItemID, in list: ListName) -> [Mutation] {
        contents(of: list)?.pending.filter { $0.item == item } ?? []
    }

    package func hasPending(in list: ListName) -> Bool { contents(of: list).map { !$0.pending.isEmpty } ?? false }

    package func quarantined() -> [QuarantinedMutation] { storedQuarantine }

    package func counts(of list: ListName) -> ListCounts {
        guard let contents = contents(of: list) else { return ListCounts() }
        return ListCounts(
            items: ordered(list).count, pending: contents.pending.count, conflicts: conflicted(in: list).count,
            quarantined: storedQuarantine.count { $0.list == list })
    }

    package func replicaNames() -> [ReplicaID: String] { storedNames }

    private func ordered(_ list: ListName) -> [Item] {
        let shown = contents(of: list)?.entries.values.map(\.item.shown) ?? []
        return shown.filter { !$0.isDeleted }.sorted { Place($0).isBefore(Place($1)) }
    }
}

extension MemoryReplicaState.List {
    /// Shown items by id.
    var shown: [Item] { entries.values.map(\.item.shown).sorted { $0.id < $1.id } }
}

extension Place {
    fileprivate func isBefore(_ other: Place) -> Bool {
        if orderKey.utf8.elementsEqual(other.orderKey.utf8) { return id < other.id }
        return orderKey.utf8.lexicographicallyPrecedes(other.orderKey.utf8)
    }
}
