import Platform
package import TandemItems

extension CoreModel {
    /// Makes sure that the store is where it was last opened. A copy, on another machine or at another path, gets a
    /// replica id of its own before it pushes anything, and keeps its edits. Says whether it was one.
    package func settle(machine: String, path: String) async throws -> Bool {
        let random = random
        return try await storage.write { store in
            var record = try store.record()
            guard record.machine != machine || record.path != path else { return false }
            let isCopy = !record.machine.isEmpty
            record.machine = machine
            record.path = path
            try store.put(record)
            if isCopy { try Self.renew(store, random: random) }
            return isCopy
        }
    }

    /// Makes the store a replica of a hub that has just said hello: lists of the same name are one list from now on,
    /// and what they hold is uploaded. A store that belongs to the same hub gets the new token. Throws where it belongs
    /// to another.
    package func join(_ membership: Membership, _ hello: Hello) async throws {
        try await storage.write { store in
            var record = try store.record()
            guard record.membership == nil || record.epoch == hello.epoch else {
                throw ModelError(.alreadyJoined, "this store belongs to the hub at \(record.membership?.address ?? "")")
            }
            record.membership = membership
            try store.put(record)
        }
        try await apply(hello)
    }

    /// Leaves the hub: the store keeps everything, and what is pending waits for another join.
    package func leave() async throws {
        try await storage.write { store in
            var record = try store.record()
            guard record.membership != nil else { throw ModelError(.notJoined, "this store belongs to no hub") }
            record.membership = nil
            try store.put(record)
            for var list in try store.lists() {
                list.role = nil
                try store.put(list)
            }
        }
    }

    /// Takes over what the hub says of itself: its lists and this token's roles, its limits, its time. From another
    /// history than the one that the confirmed items come from, everything is offered again.
    package func apply(_ hello: Hello) async throws {
        let (time, random) = (time, random)
        _ = try await storage.write { store in
            var record = try store.record()
            record.membership?.hubName = hello.name
            record.limits = hello.limits
            record.clockOffset = hello.time.milliseconds &- time.now
            let isOtherHistory = record.epoch.map { $0 != hello.epoch } ?? false
            record.epoch = hello.epoch
            try store.put(record)
            try store.setNames(hello.writers)
            try Self.apply(hello.grants, in: store)
            guard isOtherHistory else { return [Commit]() }
            for list in try store.lists() where list.cursor != nil {
                try Self.offerAgain(list.name, store, random: random)
            }
            return []
        } committed: { [commits] in
            commits.publish($0)
        }
    }

    /// The hub has lost history that this replica has seen: what is confirmed here becomes pending again, and the list
    /// is pulled from the beginning. Equal values change nothing there; others are concurrent to what the hub has.
    package func offerAgain(_ list: ListName) async throws {
        let random = random
        try await storage.write { try Self.offerAgain(list, $0, random: random) }
    }

    private static func apply(_ grants: [Grant], in store: any ReplicaTransaction) throws {
        for grant in grants {
            var list = try store.list(grant.list) ?? ReplicaList(name: grant.list, kind: grant.kind)
            list.kind = grant.kind
            list.role = grant.role
            try store.put(list)
        }
        for var list in try store.lists() where !grants.contains(where: { $0.list == list.name }) {
            // The list that a new store starts with gives way to the hub's, unless someone has used it.
            if !grants.isEmpty, list.name == .todo, list.lastN == 0, list.cursor == nil {
                try store.removeList(list.name)
            } else if list.role != nil {
                list.role = nil
                try store.put(list)
            }
        }
    }

    private static func offerAgain(
        _ name: ListName, _ store: any ReplicaTransaction, random: any RandomSource
    ) throws {
        guard var list = try store.list(name) else { return }
        let replica = try store.record().replica
        var place: Place?
        while case let items = try store.items(in: name, after: place, limit: 1_000), let last = items.last {
            for item in items {
                guard let confirmed = try store.item(item.id, in: name)?.confirmed, !confirmed.isDeleted else { continue }
                try offer(confirmed, &list, replica, store, random)
            }
            place = Place(last)
        }
        list.cursor = nil
        list.seen = nil
        try store.put(list)
    }

    /// The confirmed item becomes one mutation before all that are pending on it.
    private static func offer(
        _ item: Item, _ list: inout ReplicaList, _ replica: ReplicaID, _ store: any ReplicaTransaction,
        _ random: any RandomSource
    ) throws {
        let pending = try store.pending(of: item.id, in: list.name)
        for mutation in pending { try store.removePending(mutation.n, in: list.name) }
        list.lastN += 1
        let offered = Mutation(
            replica: replica, n: list.lastN, nonce: Nonce(random: random.next()), item: item.id, base: .none,
            set: item.fields.entries.reduce(into: FieldMap()) { $0[$1.name] = $1.value.value },
            at: item.fields.entries.map(\.value.origin.at).max() ?? Timestamp(milliseconds: 0))
        var all = [offered]
        for var mutation in pending {
            list.lastN += 1
            mutation.n = list.lastN
            mutation.base = .none
            all.append(mutation)
        }
        for mutation in all { try store.append(mutation, in: list.name) }
        guard let shown = Item.shown(nil, with: all) else { return }
        try store.put(StoredItem(confirmed: nil, shown: shown), in: list.name)
    }
}
