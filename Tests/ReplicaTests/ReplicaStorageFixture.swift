import Platform
import Replica
import Sync
import TandemItems
import TestSupport
import Testing

/// The implementations of the port.
enum StorageKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }
}

/// Runs a test's body with a new store of one kind, which has the list `todo`.
func withStorage(
    _ kind: StorageKind, _ body: (any ReplicaStorage) async throws -> Void
) async throws {
    switch kind {
    case .memory: try await body(MemoryReplicaStorage(new: .forTests))
    case .sqlite: try await withSQLiteStorage { _, storage in try await body(storage) }
    }
}

/// Runs a test's body with a new store in a directory of its own.
func withSQLiteStorage(
    _ body: (_ directory: String, SQLiteReplicaStorage) async throws -> Void
) async throws {
    try await withTemporaryDirectory { parent in
        let directory = parent + "/store"
        let storage = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
        try await body(directory, storage)
        await storage.close()
    }
}

extension NewStore {
    static var forTests: NewStore {
        NewStore(name: "desk", machine: "machine-1", path: "/store", random: SeededRandom(seed: 7))
    }
}

/// An item as a hub has accepted it at a version.
func makeItem(
    _ id: String, _ title: String = "milk", order: String? = nil, isDeleted: Bool = false, version: Int64 = 1,
    conflicts: Int = 0
) throws -> Item {
    let origin = Origin(
        version: Version(version), replica: try ReplicaID("r1"), n: version, at: Timestamp(milliseconds: 1_000))
    var item = Item(id: try ItemID(id))
    item.version = Version(version)
    item.fields[.title] = Field(.string(title), origin)
    if let order { item.fields[.order] = Field(.string(order), origin) }
    if isDeleted { item.fields[.deleted] = Field(true, origin) }
    for index in 0..<conflicts {
        item.conflicts.append(
            Conflict(
                id: ConflictID("c\(index)"), field: .title, value: .string("other \(index)"), origin: origin,
                opened: Version(version)))
    }
    return item
}

func makeMutation(_ n: Int64, _ item: String = "a", title: String = "bread", nonce: String? = nil) throws -> Mutation {
    Mutation(
        replica: try ReplicaID("r1"), n: n, nonce: try Nonce(nonce ?? "nonce-\(n)"), item: try ItemID(item),
        base: .none,
        set: [.title: .string(title)], at: Timestamp(milliseconds: 2_000))
}

func makeQuarantined(_ n: Int64, in list: ListName = .todo, code: String = "item-too-large") throws
    -> QuarantinedMutation
{
    QuarantinedMutation(
        list: list, mutation: try makeMutation(n), refusal: Refusal(code: code, message: "no"),
        since: Timestamp(milliseconds: 3_000))
}

extension ReplicaTransaction {
    /// Stores items as confirmed and shown.
    func put(_ items: [Item], in list: ListName = .todo) throws {
        for item in items { try put(StoredItem(confirmed: item, shown: item), in: list) }
    }
}

extension ReplicaStorage {
    /// The ids of a list's items in its order.
    func order(of list: ListName = .todo) async throws -> [String] {
        try await read { try $0.items(in: list, after: nil, limit: 1_000).map(\.id.text) }
    }

    func put(_ items: [Item], in list: ListName = .todo) async throws {
        try await write { try $0.put(items, in: list) }
    }

    func add(_ list: ListName, kind: String = "item") async throws {
        try await write { try $0.put(ReplicaList(name: list, kind: ListKind(kind))) }
    }
}

/// What a body throws to take back all that it did.
struct Undo: Error {}
