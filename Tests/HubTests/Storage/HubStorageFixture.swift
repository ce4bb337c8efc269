import Dispatch
import Hub
import HubStore
import TandemItems
import TestSupport
import Testing

/// The implementations that keep the port's contract.
enum StorageKind: CaseIterable {
    case memory, sqlite

    /// Runs a test's body over an empty store with the list `todo`.
    func withStorage(_ body: (any HubStorage) async throws -> Void) async throws {
        switch self {
        case .memory:
            let storage = MemoryHubStorage(epoch: Epoch("epoch-1"))
            try await storage.write { try $0.add(HubList(name: .todo, kind: .todo)) }
            try await body(storage)
        case .sqlite:
            try await withSQLiteStorage { storage, _ in try await body(storage) }
        }
    }
}

/// Runs a test's body over an empty SQLite store with the list `todo`, and closes it.
func withSQLiteStorage(
    options: HubStoreOptions = HubStoreOptions(),
    _ body: (_ storage: SQLiteHubStorage, _ directory: String) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let storage = try await openStorage(directory, options: options)
        try await storage.write { try $0.add(HubList(name: .todo, kind: .todo)) }
        try await body(storage, directory)
        await storage.close()
    }
}

/// Opens the store in a directory; a new one gets the epoch `epoch-1`.
func openStorage(
    _ directory: String, options: HubStoreOptions = HubStoreOptions()
) async throws -> SQLiteHubStorage {
    try await SQLiteHubStorage(directory: directory, options: options) { Epoch("epoch-1") }
}

/// A mutation that sets fields of an item.
func mutation(
    _ id: String, set: FieldMap<JSON> = [.title: "a title"], base: Version = .none, by replica: String = "r1",
    n: Int64 = 1
) throws -> Mutation {
    Mutation(
        replica: try ReplicaID(replica), n: n, nonce: try Nonce("\(replica)-\(n)"), item: try ItemID(id), base: base,
        set: set, at: Timestamp(milliseconds: n))
}

extension HubTransaction {
    /// What the hub does with a mutation: merges it, stores the item and appends to history. The prefix digest of a
    /// sequence is `d` and the sequence.
    @discardableResult
    func accept(
        _ mutation: Mutation, in name: ListName = .todo, _ adjust: (inout Item) -> Void = { _ in }
    ) throws -> Version {
        let sequence = try #require(try list(name)).head.next
        var merged = try Merge.apply(mutation, to: try item(mutation.item, in: name), as: sequence)
        adjust(&merged.item)
        try put(merged.item, in: name)
        let entry = HistoryEntry(
            sequence: sequence, mutation: mutation, accepted: Timestamp(milliseconds: 7), opened: merged.opened,
            closed: merged.closed)
        try append(entry, digest: "d\(sequence)", in: name)
        return sequence
    }
}

extension HubReading {
    /// Ids of a page of items; without bounds where none are given.
    func page(
        after: Int64 = 0, through: Int64 = .max, limit: Int = .max, maximumBytes: Int = .max, tombstones: Bool = false
    ) throws -> [String] {
        let items = try items(
            in: .todo, after: Version(after), through: Version(through), limit: limit, maximumBytes: maximumBytes,
            tombstonesAfter: Version(tombstones ? 0 : .max))
        return try items.map { try Item(json: JSON(parsing: $0.json)).id.text }
    }

    func liveIDs() throws -> [String] {
        var ids: [String] = []
        try eachLiveItem(in: .todo) { ids.append(try Item(json: JSON(parsing: $0.json)).id.text) }
        return ids
    }
}

/// What a body throws that gives up.
struct GaveUp: Error {}

/// Expects a body to throw the store's error with this code.
func expectStorageError(
    _ code: HubStorageError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? HubStorageError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}

/// Runs writes at once while the writer is held, so that they queue up behind one group and become part of it; then
/// lets the writer go.
func queueWrites(
    _ count: Int, on storage: SQLiteHubStorage, _ write: @escaping @Sendable (Int64) async throws -> Void,
    released: () async -> Void = {}
) async throws {
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    let isQueued = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await storage.write { _ in
                started.finish()
                isQueued.wait()
            }
        }
        for await _ in starts {}
        for n in 1...Int64(count) { group.addTask { try await write(n) } }
        try await eventually { storage.queuedWrites == count }
        isQueued.signal()
        await released()
        try await group.waitForAll()
    }
}
