import Platform
package import TandemItems

/// A change of one item as a person or a program asks for it.
package struct Edit: Hashable, Sendable {
    /// What the edit expects of the item.
    package enum Expectation: Hashable, Sendable {
        case nothing
        /// The item is shown.
        case exists
        /// There is no item of this id, or a deleted one.
        case isNew
    }

    /// The item; a new one where it is `nil`.
    package var item: ItemID?
    /// The version that the author saw; what is shown now where it is `nil`.
    package var base: Version?
    package var set: FieldMap<JSON>
    package var increments: FieldMap<Int64>
    package var expectation: Expectation
    /// The item's place if the edit makes it; where it is `nil`, the id tells the place.
    package var orderIfNew: String?

    package init(
        item: ItemID? = nil, base: Version? = nil, set: FieldMap<JSON> = [:], increments: FieldMap<Int64> = [:],
        expectation: Expectation = .nothing, orderIfNew: String? = nil
    ) {
        self.item = item
        self.base = base
        self.set = set
        self.increments = increments
        self.expectation = expectation
        self.orderIfNew = orderIfNew
    }
}

/// What an edit did.
package struct Edited: Hashable, Sendable {
    package enum Effect: String, Sendable { case created, changed, unchanged }

    package var effect: Effect
    /// The item as it is shown now.
    package var item: Item

    package init(effect: Effect, item: Item) {
        self.effect = effect
        self.item = item
    }
}

extension CoreModel {
    /// Makes edits in order, in one transaction; each is whole or not at all, and one that breaks a rule leaves the
    /// others as they are. They are shown at once and wait for the hub.
    package func edit(_ edits: [Edit], in list: ListName) async throws -> [Result<Edited, ModelError>] {
        let model = self
        return try await storage.write { store in
            var session = try EditSession(model, list, store)
            let results = try edits.map { try session.make($0) }
            return (results: results, commits: try session.finish())
        } committed: { [commits] in
            commits.publish($0.commits)
        }.results
    }

    /// Makes one edit. Throws ``ModelError`` where it breaks a rule.
    package func edit(_ edit: Edit, in list: ListName) async throws -> Edited {
        try await self.edit([edit], in: list)[0].get()
    }
}

/// Edits on their way through one write transaction.
struct EditSession {
    private let model: CoreModel
    private let store: any ReplicaTransaction
    private let record: StoreRecord
    private var list: ReplicaList
    private var changes: [ItemChange] = []
    private let firstN: Int64

    init(_ model: CoreModel, _ name: ListName, _ store: any ReplicaTransaction) throws {
        self.model = model
        self.store = store
        record = try store.record()
        list = try CoreModel.list(name, in: store)
        firstN = list.lastN
        guard list.role != .reader else {
            throw ModelError(.readOnlyList, "this machine may read the list '\(name)', not change it")
        }
    }

    /// Stores the list's last number and gives what is to be told after the commit. An edit that shows nothing, of a
    /// deleted item, is told too: the sync lives by these news.
    func finish() throws -> [Commit] {
        try store.put(list)
        guard list.lastN > firstN else { return [] }
        return [Commit(stamp: try store.lastStamp(), list: list.name, source: .local, changes: changes)]
    }

    mutating func make(_ edit: Edit) throws -> Result<Edited, ModelError> {
        let now = model.now(record)
        let id = edit.item ?? .minted(at: now, random: (model.random.next(), model.random.next()))
        let stored = try store.item(id, in: list.name)
        let isShown = stored.map { !$0.shown.isDeleted } ?? false
        if edit.expectation == .exists, !isShown {
            return .failure(ModelError(.noSuchItem, "there is no item '\(id)'"))
        }
        if edit.expectation == .isNew, isShown {
            return .failure(ModelError(.itemExists, "there is an item '\(id)' already"))
        }
        let item = stored?.shown ?? Item(id: id)
        var set = needed(edit.set, stored?.shown, edit.increments)
        if stored == nil, edit.set[.order] == nil, let order = edit.orderIfNew { set[.order] = .string(order) }
        guard !set.isEmpty || !edit.increments.isEmpty else {
            return .success(Edited(effect: .unchanged, item: item))
        }
        let mutation = Mutation(
            replica: record.replica, n: list.lastN + 1, nonce: model.mintNonce(), item: id,
            base: min(edit.base ?? item.version, item.version), set: set, increments: edit.increments, at: now
        ).reviving(stored?.confirmed, after: try store.pending(of: id, in: list.name))
        do throws(InvalidItem) {
            try mutation.check()
            let merged = try Merge.apply(mutation, to: stored?.shown, as: item.version.next).item
            try merged.check(record.limits, after: stored?.shown)
        } catch {
            return .failure(ModelError(error))
        }
        return .success(try append(mutation, stored, isShown ? .changed : .created))
    }

    private mutating func append(
        _ mutation: Mutation, _ stored: StoredItem?, _ effect: Edited.Effect
    ) throws -> Edited {
        list.lastN = mutation.n
        try store.append(mutation, in: list.name)
        let pending = try store.pending(of: mutation.item, in: list.name)
        guard let shown = Item.shown(stored?.confirmed, with: pending) else {
            throw ReplicaStorageError(.failed, "what is pending of '\(mutation.item)' does not apply")
        }
        try store.put(StoredItem(confirmed: stored?.confirmed, shown: shown), in: list.name)
        if let change = ItemChange(from: stored?.shown, to: shown) { changes.append(change) }
        return Edited(effect: effect, item: shown)
    }

    /// The values that change something or settle a conflict. An edit of a deleted item brings it back, even by the
    /// values that it had; a new item without values is made by saying that it is not deleted.
    private func needed(
        _ set: FieldMap<JSON>, _ shown: Item?, _ increments: FieldMap<Int64>
    ) -> FieldMap<JSON> {
        var needed = FieldMap<JSON>()
        for (name, value) in set.entries {
            let isSettling = shown?.conflicts.contains { $0.field == name } ?? false
            if isSettling || shown?[name] ?? .null != value { needed[name] = value }
        }
        let isMade = shown == nil && needed.isEmpty && increments.isEmpty
        let isRevived = (shown?.isDeleted ?? false) && set.names.contains { !$0.isQuiet }
        if isMade || isRevived, set[.deleted] == nil { needed[.deleted] = false }
        return needed
    }
}
