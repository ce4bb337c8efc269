import Hub
import HubStore
import Replica
import Sync
import TandemItems

/// Watches every commit of every store, and judges by what it has seen alone.
struct Oracle {
    struct Place: Hashable {
        let list: ListName
        let item: ItemID
    }

    /// What is known of the hub's history as it is now; it goes back with the store.
    struct HubView {
        var knowledge: [Place: CausalHistory.Knowledge] = [:]
        var nonces: Set<Nonce> = []
    }

    /// What is known of a replica's store; it goes back with the store, and is copied with it.
    struct ReplicaView {
        /// The writes that were made in this store.
        var own: [Place: Set<Int>] = [:]
    }

    var history = CausalHistory()
    var hub = HubView()
    var replicas: [Int: ReplicaView] = [:]
    /// Heads before the hub's latest commit.
    var heads: [ListName: Version] = [:]
    /// How many amounts each counter has had: each is a power of two of its own.
    var amounts: [Place: Int] = [:]

    // MARK: The hub

    mutating func hubCommitted(_ world: World) {
        for (name, list) in world.hub.storage.state.lists {
            let before = heads[name] ?? .none
            guard list.list.head != before else { continue }
            checkHistory(list, before, world)
            var touched: Set<ItemID> = []
            for entry in list.history[Int(before.number)...] {
                accept(entry.entry, in: name, world)
                touched.insert(entry.entry.mutation.item)
            }
            for id in touched {
                guard let item = list.items[id]?.item else { continue }
                history.note(item, in: name, hub.knowledge[Place(list: name, item: id)] ?? [:])
            }
        }
    }

    private func checkHistory(_ list: MemoryList, _ before: Version, _ world: World) {
        let sequences = list.history.map(\.entry.sequence.number)
        if list.list.head < before || sequences.count != Int(list.list.head.number)
            || sequences.last != list.list.head.number
        {
            world.violate(.gapless, "\(list.list.name) has head \(list.list.head) and \(sequences.count) entries")
        }
        for entry in list.history[Int(min(before, list.list.head).number)...] {
            guard let item = list.items[entry.entry.mutation.item]?.item else { continue }
            if item.version > list.list.head || item.version < entry.entry.sequence {
                world.violate(.gapless, "\(item.id) has version \(item.version), its entry \(entry.entry.sequence)")
            }
        }
    }

    private mutating func accept(_ entry: HistoryEntry, in list: ListName, _ world: World) {
        let mutation = entry.mutation
        let place = Place(list: list, item: mutation.item)
        if !hub.nonces.insert(mutation.nonce).inserted {
            world.violate(.exactlyOnce, "\(mutation.nonce) of \(mutation.replica) is twice in the history of \(list)")
        }
        if let index = history.byNonce[mutation.nonce] {
            if !world.hasForgotten, !history[index].isStale { checkConflicts(entry, index, list, world) }
            history[index].isAccepted = true
            history.name(index, list, mutation.replica, mutation.n)
            hub.knowledge[place, default: [:]][index] = entry.sequence
        } else if let offered = history.offers[mutation.nonce] {
            for index in offered.keys where hub.knowledge[place]?[index] == nil {
                hub.knowledge[place, default: [:]][index] = entry.sequence
                history[index].isAccepted = true
            }
        } else {
            world.violate(.exactlyOnce, "nobody made \(mutation.json.text)")
        }
    }

    /// A conflict is between two values of which neither author had seen the other.
    private func checkConflicts(_ entry: HistoryEntry, _ index: Int, _ list: ListName, _ world: World) {
        for conflict in entry.opened where conflict.field != .deleted && conflict.field != .count {
            let losers = history.writes(by: conflict.origin, in: list)
            guard !losers.contains(index), losers.count == 1, let loser = losers.first,
                history[index].seen.contains(loser)
            else { continue }
            world.violate(.falseConflict, "\(entry.mutation.json.text) saw \(conflict.json.text)")
        }
    }

    // MARK: Replicas

    mutating func replicaCommitted(
        _ storage: SimulatedReplicaStorage, before: MemoryReplicaState, _ world: World
    ) {
        let after = storage.state
        let quarantined = Set(after.storedQuarantine.map(\.id))
        // Made anew, as another write, or given up.
        for entry in before.storedQuarantine where !quarantined.contains(entry.id) {
            if let index = history.byNonce[entry.id] { history[index].isExcused = true }
        }
        for list in after.storedLists {
            let old = before.contents(of: list.list.name)
            notePending(list, old, storage.replica, world)
            noteGone(list, old, quarantined, storage.replica, world)
            checkItems(list, old, storage.replica, world)
            if list.list.cursor != old?.list.cursor { checkCursor(list, storage.replica, world) }
        }
    }

    private mutating func notePending(
        _ list: MemoryReplicaState.List, _ old: MemoryReplicaState.List?, _ replica: Int, _ world: World
    ) {
        let known = Set((old?.pending ?? []).map { PendingKey($0) })
        for mutation in list.pending where !known.contains(PendingKey(mutation)) {
            let place = Place(list: list.list.name, item: mutation.item)
            if let index = history.byNonce[mutation.nonce] {
                history.name(index, place.list, mutation.replica, mutation.n)
            } else if ReplicaProcess.isTyping {
                let confirmed = list.entries[mutation.item]?.item.confirmed
                let base = history.knowledge(of: confirmed, in: place.list) ?? [:]
                let shown = base.filter { $0.value <= mutation.base }.keys
                let own = replicas[replica, default: ReplicaView()].own[place] ?? []
                history.add(
                    mutation, in: place.list, seen: history.closure(own.union(shown)),
                    isStale: mutation.base < confirmed?.version ?? .none)
                history.name(history.writes.count - 1, place.list, mutation.replica, mutation.n)
                replicas[replica, default: ReplicaView()].own[place, default: []].insert(history.writes.count - 1)
            } else if history.offers[mutation.nonce] == nil {
                let confirmed = old?.entries[mutation.item]?.item.confirmed
                history.addOffer(mutation.nonce, history.knowledge(of: confirmed, in: place.list) ?? [:])
            }
        }
    }

    private struct PendingKey: Hashable {
        let nonce: Nonce
        let replica: ReplicaID
        let n: Int64

        init(_ mutation: Mutation) { (nonce, replica, n) = (mutation.nonce, mutation.replica, mutation.n) }
    }

    /// What is pending leaves only by the hub's word.
    private mutating func noteGone(
        _ list: MemoryReplicaState.List, _ old: MemoryReplicaState.List?, _ quarantined: Set<Nonce>, _ replica: Int,
        _ world: World
    ) {
        let left = Set(list.pending.map(\.nonce))
        for mutation in old?.pending ?? [] where !left.contains(mutation.nonce) {
            guard !quarantined.contains(mutation.nonce), let index = history.byNonce[mutation.nonce],
                !history[index].isAccepted
            else { continue }
            world.violate(.exactlyOnce, "replica \(replica) dropped \(mutation.json.text)")
        }
    }

    private func checkItems(
        _ list: MemoryReplicaState.List, _ old: MemoryReplicaState.List?, _ replica: Int, _ world: World
    ) {
        guard let old, old.entries.count > list.entries.count else { return }
        for id in old.entries.keys where list.entries[id] == nil {
            world.violate(.absenceNeverDeletes, "replica \(replica) has no item \(id) any more")
        }
    }

    /// Whatever the hub has not changed since is there, up to the cursor.
    private func checkCursor(_ list: MemoryReplicaState.List, _ replica: Int, _ world: World) {
        guard let cursor = list.list.cursor, let other = world.hub.storage.state.lists[list.list.name],
            world.hub.storage.state.epoch == cursor.epoch, digest(other, cursor.sequence) == cursor.digest
        else { return }
        for (id, entry) in other.items where entry.item.version <= cursor.sequence {
            guard entry.item.isLive, list.entries[id]?.item.confirmed?.version ?? .none < entry.item.version else {
                continue
            }
            world.violate(
                .cursorBehindRows, "replica \(replica) at \(cursor.sequence) has no \(id) of \(entry.item.version)")
        }
    }

    private func digest(_ list: MemoryList, _ sequence: Version) -> String {
        sequence == .none ? list.start : list.history.indices.contains(Int(sequence.number) - 1)
            ? list.history[Int(sequence.number) - 1].digest : ""
    }
}
