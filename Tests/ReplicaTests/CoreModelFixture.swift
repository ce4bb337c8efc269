import Platform
import Replica
import Sync
import TandemItems
import TestSupport
import Testing

/// A core model over a store of one kind, and a hub that it is pushed to and pulled from by hand.
struct ModelBench {
    let storage: any ReplicaStorage
    let model: CoreModel
    let hub: FaultyHub
    let time: ManualTime

    init(_ storage: any ReplicaStorage, hub: FaultyHub = FaultyHub(), seed: UInt64 = 11) {
        time = ManualTime()
        self.storage = storage
        self.hub = hub
        model = CoreModel(storage: storage, time: time, random: SeededRandom(seed: seed))
    }

    /// A replica of its own in memory.
    static func memory(_ hub: FaultyHub, seed: UInt64) throws -> ModelBench {
        let new = NewStore(name: "r\(seed)", random: SeededRandom(seed: seed))
        return ModelBench(try MemoryReplicaStorage(new: new), hub: hub, seed: seed)
    }

    func join(_ address: String = "https://hub") async throws {
        try await model.join(Membership(address: address, token: "t"), try await hub.hello())
    }

    @discardableResult
    func edit(
        _ id: String?, _ set: FieldMap<JSON>, base: Int64? = nil, increments: FieldMap<Int64> = [:],
        _ expectation: Edit.Expectation = .nothing, in list: ListName = .todo
    ) async throws -> Edited {
        let edit = Edit(
            item: try id.map { try ItemID($0) }, base: base.map { Version($0) }, set: set, increments: increments,
            expectation: expectation)
        return try await model.edit(edit, in: list)
    }

    func pending(_ list: ListName = .todo) async throws -> [Mutation] {
        try await model.outgoing(in: list, limit: .max, maximumBytes: .max).mutations
    }

    /// Pushes what is pending, once. Says whether the store was forked.
    @discardableResult
    func push(_ list: ListName = .todo) async throws -> Bool {
        let (batch, seen) = try await model.outgoing(in: list, limit: .max, maximumBytes: .max)
        return try await model.apply(try await hub.push(batch, to: list, seen: seen), to: batch, in: list)
    }

    /// Pulls to the head.
    func pull(_ list: ListName = .todo, limit: Int = 100) async throws {
        while true {
            let cursor = try await model.cursor(of: list)
            let page = try await hub.changes(in: list, since: cursor, limit: limit)
            #expect(try await model.apply(page, since: cursor, in: list))
            if page.cursor.sequence == page.head { return }
        }
    }

    func shown(_ id: String, in list: ListName = .todo) async throws -> Item {
        try await model.inspect(id, in: list).item
    }

    func confirmed(_ id: String, in list: ListName = .todo) async throws -> Item? {
        let id = try ItemID(id)
        return try await storage.read { try $0.item(id, in: list)?.confirmed }
    }

    func ids(_ query: ItemQuery = ItemQuery(), in list: ListName = .todo) async throws -> [String] {
        try await model.items(in: list, query).map(\.id.text)
    }

    /// What is shown is nothing but what is confirmed with what is pending.
    func checkViews() async throws {
        try await storage.read { store in
            for list in try store.lists() {
                for change in try store.changes(after: 0, limit: .max) where change.list == list.name {
                    let stored = try store.item(change.item.id, in: list.name)
                    let pending = try store.pending(of: change.item.id, in: list.name)
                    let shown = Item.shown(stored?.confirmed, with: pending)
                    if let shown { #expect(stored?.shown == shown) } else { #expect(stored?.shown.isDeleted == true) }
                }
            }
        }
    }
}

/// Runs a test's body with a model over a new store of one kind, and checks the store's views at its end.
func withModel(_ kind: StorageKind, _ body: (ModelBench) async throws -> Void) async throws {
    try await withStorage(kind) { storage in
        let bench = ModelBench(storage)
        try await body(bench)
        try await bench.checkViews()
    }
}

/// The error that a body throws.
func modelError(_ body: () async throws -> Void) async -> ModelError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ModelError
    }
}
