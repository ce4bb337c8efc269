import Platform
package import TandemItems

extension CoreModel {
    /// Makes the store a replica of a hub that has just said hello: lists of the same name are one list from now on,
    /// and what they hold is uploaded. A store that belongs to the same hub, by its history or its address, gets the new
    /// token. Throws where it belongs to another.
    package func join(_ membership: Membership, _ hello: Hello) async throws {
        try await storage.write { store in
            var record = try store.record()
            if let former = record.membership, former.address != membership.address, record.epoch != hello.epoch {
                throw ModelError(.alreadyJoined, "this store belongs to the hub at \(former.address)")
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
        try await storage.write { store in
            var record = try store.record()
            record.membership?.hubName = hello.name
            record.limits = hello.limits
            record.clockOffset = hello.time.milliseconds &- time.now
            let isOtherHistory = record.epoch.map { $0 != hello.epoch } ?? false
            record.epoch = hello.epoch
            try store.put(record)
            try store.setNames(hello.writers)
            try Self.apply(hello.grants, in: store)
            guard isOtherHistory else { return }
            for list in try store.lists() { try Reoffer(list.name, store, random)?.run() }
        }
    }

    /// The hub has lost history that this replica has seen: what is confirmed here becomes pending again, and the list
    /// is pulled from the beginning. Equal values change nothing there; others are concurrent to what the hub has.
    package func offerAgain(_ list: ListName) async throws {
        let random = random
        try await storage.write { try Reoffer(list, $0, random)?.run() }
    }

    /// Says where the store runs now, before its first push. A copy finds itself on another machine or path: it gets a
    /// replica id of its own and keeps its edits. Says whether it did.
    package func recognize(machine: String, path: String) async throws -> Bool {
        let random = random
        return try await storage.write { store in
            var record = try store.record()
            guard record.machine != machine || record.path != path else { return false }
            let isCopy = !record.machine.isEmpty
            (record.machine, record.path) = (machine, path)
            try store.put(record)
            if isCopy { try Self.renew(store, random: random) }
            return isCopy
        }
    }

    private static func apply(_ grants: [Grant], in store: any ReplicaTransaction) throws {
        for grant in grants {
            var list = try store.list(grant.list) ?? ReplicaList(name: grant.list, kind: grant.kind)
            list.kind = grant.kind
            list.role = grant.role
            try store.put(list)
        }
        let granted = Set(grants.map(\.list))
        for var list in try store.lists() where !granted.contains(list.name) {
            // The list that a new store starts with gives way to the hub's, unless someone has used it.
            if !grants.isEmpty, list.name == .todo, list.lastN == 0, list.cursor == nil {
                try store.removeList(list.name)
            } else if list.role != nil {
                list.role = nil
                try store.put(list)
            }
        }
    }
}
