package import Sync
package import TandemItems

/// A state that a body changes; nobody else sees it before it is put in place.
package final class MemoryReplicaTransaction: ReplicaTransaction {
    package private(set) var state: MemoryReplicaState

    package init(_ state: MemoryReplicaState) { self.state = state }

    package func put(_ record: StoreRecord) { state.storedRecord = record }

    package func put(_ list: ReplicaList) {
        if let index = state.index(of: list.name) {
            state.storedLists[index].list = list
        } else {
            state.storedLists.append(MemoryReplicaState.List(list: list))
        }
    }

    package func removeList(_ name: ListName) {
        state.storedLists.removeAll { $0.list.name == name }
        state.storedQuarantine.removeAll { $0.list == name }
    }

    package func put(_ item: StoredItem, in list: ListName) throws {
        let index = try index(of: list)
        state.stamp += 1
        state.storedLists[index].entries[item.shown.id] = MemoryReplicaState.Entry(item: item, stamp: state.stamp)
    }

    package func append(_ mutation: Mutation, in list: ListName) throws {
        let index = try index(of: list)
        let pending = state.storedLists[index].pending
        let place = pending.lastIndex { $0.n <= mutation.n }.map { $0 + 1 } ?? 0
        guard place == 0 || pending[place - 1].n < mutation.n else {
            throw ReplicaStorageError(.failed, "mutation \(mutation.n) of '\(list)' is there already")
        }
        state.storedLists[index].pending.insert(mutation, at: place)
    }

    package func removePending(_ n: Int64, in list: ListName) {
        guard let index = state.index(of: list) else { return }
        state.storedLists[index].pending.removeAll { $0.n == n }
    }

    package func put(_ quarantined: QuarantinedMutation) throws {
        _ = try index(of: quarantined.list)
        if let index = state.storedQuarantine.firstIndex(where: { $0.id == quarantined.id }) {
            state.storedQuarantine[index] = quarantined
        } else {
            state.storedQuarantine.append(quarantined)
        }
    }

    package func removeQuarantined(_ id: Nonce) { state.storedQuarantine.removeAll { $0.id == id } }

    package func setNames(_ names: [ReplicaID: String]) { state.storedNames = names }

    private func index(of list: ListName) throws -> Int {
        guard let index = state.index(of: list) else { throw ReplicaStorageError.noList(list) }
        return index
    }
}

/// Reading inside the transaction: the state so far.
extension MemoryReplicaTransaction {
    package func record() -> StoreRecord { state.record() }
    package func lists() -> [ReplicaList] { state.lists() }
    package func list(_ name: ListName) -> ReplicaList? { state.list(name) }
    package func item(_ id: ItemID, in list: ListName) -> StoredItem? { state.item(id, in: list) }
    package func items(in list: ListName, after place: Place?, limit: Int) -> [Item] {
        state.items(in: list, after: place, limit: limit)
    }
    package func item(before place: Place, in list: ListName) -> Item? { state.item(before: place, in: list) }
    package func items(idPrefix: String, limit: Int) -> [(list: ListName, item: Item)] {
        state.items(idPrefix: idPrefix, limit: limit)
    }
    package func items(idSuffix: String, limit: Int) -> [(list: ListName, item: Item)] {
        state.items(idSuffix: idSuffix, limit: limit)
    }
    package func conflicted(in list: ListName) -> [Item] { state.conflicted(in: list) }
    package func changes(after stamp: Int64, limit: Int) -> [(stamp: Int64, list: ListName, item: Item)] {
        state.changes(after: stamp, limit: limit)
    }
    package func lastStamp() -> Int64 { state.lastStamp() }
    package func pending(in list: ListName, from n: Int64, limit: Int, maximumBytes: Int) -> [Mutation] {
        state.pending(in: list, from: n, limit: limit, maximumBytes: maximumBytes)
    }
    package func pending(of item: ItemID, in list: ListName) -> [Mutation] { state.pending(of: item, in: list) }
    package func hasPending(in list: ListName) -> Bool { state.hasPending(in: list) }
    package func quarantined() -> [QuarantinedMutation] { state.quarantined() }
    package func counts(of list: ListName) -> ListCounts { state.counts(of: list) }
    package func replicaNames() -> [ReplicaID: String] { state.replicaNames() }
}
