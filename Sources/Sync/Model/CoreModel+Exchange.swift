import Platform
package import TandemItems

extension CoreModel {
    /// The next mutations to push, in order, and the furthest place of the hub's history that their bases come from.
    package func outgoing(
        in list: ListName, limit: Int, maximumBytes: Int
    ) async throws -> (mutations: [Mutation], seen: Cursor?) {
        try await storage.read { store in
            let mutations = try store.pending(in: list, from: 1, limit: limit, maximumBytes: maximumBytes)
            return (mutations: mutations, seen: try store.list(list)?.seen)
        }
    }

    package func hasPending(in list: ListName) async throws -> Bool {
        try await storage.read { try $0.hasPending(in: list) }
    }

    /// Takes the hub's answer to a push: accepted mutations leave, refused ones go to quarantine, the items after them
    /// are taken over. The cursor stays where it is. Says whether another store was found to run under this replica
    /// id; then its edits go on under a new one.
    package func apply(_ answer: PushAnswer, to sent: [Mutation], in list: ListName) async throws -> Bool {
        let time = time
        return try await storage.write { store in
            var intake = try Intake(list, store)
            let now = Timestamp(milliseconds: time.now)
            var forked: Mutation?
            for (mutation, outcome) in zip(sent, answer.outcomes) {
                switch outcome {
                case .accepted: try intake.settle(mutation)
                case .refused where outcome.isForked: forked = forked ?? mutation
                case .refused(let refusal): try intake.quarantine(mutation, refusal, at: now)
                }
            }
            for item in answer.items { try intake.take(item) }
            if var record = try store.list(list) {
                record.note(answer.seen)
                try store.put(record)
            }
            let isForked = try forked.map { try Self.rename(from: $0, in: list, store) } ?? false
            return (isForked: isForked, commits: try intake.finish())
        } committed: { [commits] in
            commits.publish($0.commits)
        }.isForked
    }

    /// Takes a page of changes and moves the cursor, together. A page that does not start at the list's cursor is
    /// left alone; says whether it was taken.
    package func apply(_ page: ChangesPage, since cursor: Cursor?, in list: ListName) async throws -> Bool {
        try await storage.write { store in
            guard var record = try store.list(list), record.cursor == cursor else {
                return (isTaken: false, commits: [Commit]())
            }
            var intake = try Intake(list, store)
            for item in page.items { try intake.take(item) }
            record.cursor = page.cursor
            record.note(page.cursor)
            try store.put(record)
            return (isTaken: true, commits: try intake.finish())
        } committed: { [commits] in
            commits.publish($0.commits)
        }.isTaken
    }

    /// Moves a mutation that the hub will never take to quarantine.
    package func quarantine(_ mutation: Mutation, _ refusal: Refusal, in list: ListName) async throws {
        let time = time
        _ = try await storage.write { store in
            var intake = try Intake(list, store)
            try intake.quarantine(mutation, refusal, at: Timestamp(milliseconds: time.now))
            return try intake.finish()
        } committed: { [commits] in
            commits.publish($0)
        }
    }

    /// Gives the store a new replica id for the edits to come. What is pending keeps its numbers: another copy of the
    /// store may push the same mutations, and the hub knows by the numbers that they are the same. Numbers go on under
    /// the new id, so that they order what is pending under both.
    static func renew(_ store: any ReplicaTransaction, random: any RandomSource) throws {
        var record = try store.record()
        record.replica = ReplicaID(random: (random.next(), random.next()))
        try store.put(record)
    }

    /// Another store has used the number of a pending mutation: that one and those after it go on under another id. It
    /// comes from the mutation itself, so that copies which share the mutation still push it as the same. They keep
    /// their numbers, which order them, and their nonces, by which an answer that is still on its way finds them. Says
    /// whether there was something to rename: a late answer finds it done.
    private static func rename(
        from forked: Mutation, in name: ListName, _ store: any ReplicaTransaction
    ) throws -> Bool {
        let isForked = { (pending: Mutation) in
            pending.nonce == forked.nonce && pending.replica == forked.replica && pending.n == forked.n
        }
        guard try store.pending(of: forked.item, in: name).contains(where: isForked) else { return false }
        let replica = try ReplicaID(forked.nonce.text)
        let pending = try store.pending(in: name, from: forked.n, limit: .max, maximumBytes: .max)
        for mutation in pending { try store.removePending(mutation.n, in: name) }
        for var mutation in pending {
            // Values that are offered for others keep their authors.
            if mutation.replica == forked.replica { mutation.replica = replica }
            try store.append(mutation, in: name)
        }
        for id in Set(pending.map(\.item)) { try show(id, in: name, store) }
        var record = try store.record()
        guard record.replica == forked.replica else { return true }
        record.replica = replica
        try store.put(record)
        return true
    }

    /// Stores an item as its confirmed state and its pending mutations show it.
    static func show(_ id: ItemID, in list: ListName, _ store: any ReplicaTransaction) throws {
        let confirmed = try store.item(id, in: list)?.confirmed
        let shown = Item.shown(confirmed, with: try store.pending(of: id, in: list))
        try store.put(
            StoredItem(confirmed: confirmed, shown: try shown ?? .gone(id, for: store.record().replica)), in: list)
    }
}
