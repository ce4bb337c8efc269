import Hub
import HubStore
import Replica
import Sync
import TandemItems

/// What may be gone after a copy took the place of a store, and the account at the end.
extension Oracle {
    /// Called after a store was replaced by an older copy: a write that is nowhere any more is excused. It is somewhere
    /// if the hub's history has it, or if a replica has it pending, in quarantine, as the value of a field, or as an
    /// open conflict.
    mutating func noteLosses(_ world: World) {
        var held: Set<Int> = Set(hub.nonces.compactMap { history.byNonce[$0] })
        for knowledge in hub.knowledge.values { held.formUnion(knowledge.keys) }
        for replica in world.replicas {
            let state = replica.storage.state
            held.formUnion(state.storedQuarantine.compactMap { history.byNonce[$0.id] })
            for list in state.storedLists { held.formUnion(traces(of: list)) }
        }
        for index in history.writes.indices where !held.contains(index) { history[index].isExcused = true }
    }

    private func traces(of list: MemoryReplicaState.List) -> Set<Int> {
        var held = Set(list.pending.compactMap { history.byNonce[$0.nonce] })
        for mutation in list.pending { held.formUnion((history.offers[mutation.nonce] ?? [:]).keys) }
        for entry in list.entries.values {
            guard let item = entry.item.confirmed else { continue }
            let origins = item.fields.entries.map(\.value.origin) + item.conflicts.map(\.origin)
            for origin in origins { held.formUnion(history.writes(by: origin, in: list.list.name)) }
        }
        return held
    }

    /// Every value that was ever typed is accounted for, once all is delivered.
    func settle(_ world: World) {
        let quarantined = Set(
            world.replicas.flatMap { $0.storage.state.storedQuarantine.compactMap { history.byNonce[$0.id] } })
        for (index, write) in history.writes.enumerated() where !write.isExcused && !quarantined.contains(index) {
            let place = Place(list: write.list, item: write.item)
            guard let item = world.hub.storage.state.lists[write.list]?.items[write.item]?.item,
                hub.knowledge[place]?[index] != nil
            else {
                world.violate(.nothingLost, "no hub has \(describe(index))")
                continue
            }
            let arrived = (hub.knowledge[place] ?? [:]).keys
            for (name, value) in write.set.entries where !name.isQuiet {
                guard !isAccounted(index, name, value, item, arrived) else { continue }
                world.violate(.nothingLost, "\(name) of \(describe(index)) is gone from \(item.json.text)")
            }
        }
        for (place, knowledge) in hub.knowledge { settleCounter(place, knowledge, world) }
    }

    private func describe(_ index: Int) -> String {
        let write = history[index]
        let set = write.set.entries.map { "\($0.name)=\($0.value.text)" } + write.increments.names.map { "\($0)+" }
        return "write \(index) (\(write.nonce), \(write.list)/\(write.item), \(set.joined(separator: " ")))"
    }

    /// Whether a value is shown, is kept as a conflict, or was written over by someone who had seen it (or its twin).
    private func isAccounted(
        _ index: Int, _ name: FieldName, _ value: JSON, _ item: Item, _ arrived: some Sequence<Int>
    ) -> Bool {
        if item[name] == value || item.conflicts.contains(where: { $0.field == name && $0.value == value }) {
            return true
        }
        if name == .count, isPart(index, of: item) { return true }
        return arrived.contains { later in
            history[later].set[name] != nil && later != index
                && history[later].seen.contains { seen in
                    seen == index || (history[seen].set[name] == value && history[seen].item == item.id)
                }
        }
    }

    /// A counter's amounts are distinct powers of two, so that a value names its parts.
    private func isPart(_ index: Int, of item: Item) -> Bool {
        let amount = history[index].increments[.count] ?? history[index].set[.count]?.int ?? 0
        let values = [item[.count]] + item.conflicts.filter { $0.field == .count }.map(\.value)
        return amount != 0 && values.contains { ($0.int ?? 0) & amount != 0 }
    }

    /// What was added to a counter is in it once.
    private func settleCounter(_ place: Place, _ knowledge: CausalHistory.Knowledge, _ world: World) {
        guard let item = world.hub.storage.state.lists[place.list]?.items[place.item]?.item else { return }
        let sets = knowledge.keys.filter { history[$0].set[.count] != nil }
        let increments = knowledge.keys.filter { history[$0].increments[.count] != nil }
        if sets.isEmpty, !world.hasForgotten {
            let sum = increments.reduce(0) { $0 + (history[$1].increments[.count] ?? 0) }
            if item[.count].int ?? 0 != sum {
                world.violate(.exactlyOnce, "the counter of \(place.item) is \(item[.count].text), not \(sum)")
            }
        }
        for index in increments where !history[index].isExcused && !isPart(index, of: item) {
            if world.hasForgotten { continue }
            let isReplaced = sets.contains { history[$0].seen.contains(index) }
            if !isReplaced { world.violate(.nothingLost, "the counter of \(place.item) misses \(describe(index))") }
        }
    }
}
