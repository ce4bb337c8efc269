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
    /// id; then this one has a new id, and its edits are renumbered under it.
    package func apply(_ answer: PushAnswer, to sent: [Mutation], in list: ListName) async throws -> Bool {
        let (time, random) = (time, random)
        return try await storage.write { store in
            var intake = try Intake(list, store)
            let now = Timestamp(milliseconds: time.now)
            let replica = try store.record().replica
            var isForked = false
            for (mutation, outcome) in zip(sent, answer.outcomes) {
                switch outcome {
                case .accepted: try intake.settle(mutation)
                // What was sent under a former id is pending under the new one already.
                case .refused where outcome.isForked: isForked = isForked || mutation.replica == replica
                case .refused(let refusal): try intake.quarantine(mutation, refusal, at: now)
                }
            }
            for item in answer.items { try intake.take(item) }
            if var record = try store.list(list) {
                record.note(answer.seen)
                try store.put(record)
            }
            if isForked { try Self.remint(store, random: random) }
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

    /// Gives the store a new replica id. Its pending mutations are renumbered in their order; they keep their nonces,
    /// by which an answer that is still on its way finds them. Values that are offered for others keep their authors.
    static func remint(_ store: any ReplicaTransaction, random: any RandomSource) throws {
        var record = try store.record()
        let former = record.replica
        record.replica = ReplicaID(random: (random.next(), random.next()))
        try store.put(record)
        for var list in try store.lists() {
            let pending = try store.pending(in: list.name, from: 1, limit: .max, maximumBytes: .max)
            for mutation in pending { try store.removePending(mutation.n, in: list.name) }
            list.lastN = 0
            for var mutation in pending {
                list.lastN += 1
                if mutation.replica == former { mutation.replica = record.replica }
                mutation.n = list.lastN
                try store.append(mutation, in: list.name)
            }
            try store.put(list)
            for id in Set(pending.map(\.item)) { try show(id, in: list.name, store) }
        }
    }

    /// Stores an item as its confirmed state and its pending mutations show it.
    static func show(_ id: ItemID, in list: ListName, _ store: any ReplicaTransaction) throws {
        let confirmed = try store.item(id, in: list)?.confirmed
        let shown = Item.shown(confirmed, with: try store.pending(of: id, in: list))
        try store.put(
            StoredItem(confirmed: confirmed, shown: try shown ?? .gone(id, for: store.record().replica)), in: list)
    }
}
