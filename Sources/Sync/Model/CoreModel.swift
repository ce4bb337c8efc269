package import Platform
package import TandemItems

/// The one source of truth on a machine: lists of items as they are shown, edits that are visible at once and wait for
/// the hub, and what the hub made of them.
///
/// Holds no state of its own: every answer comes from the store, and every change is one transaction of it. Methods
/// may be called from any task, many at once, and throw ``ModelError`` or ``ReplicaStorageError``.
package final class CoreModel: Sendable {
    let storage: any ReplicaStorage
    let time: any TimeSource
    let random: any RandomSource

    /// Every committed change, local or from the hub.
    package let commits = CommitFeed()

    package init(
        storage: any ReplicaStorage, time: any TimeSource = SystemTime(), random: any RandomSource = SystemRandom()
    ) {
        self.storage = storage
        self.time = time
        self.random = random
    }

    package func record() async throws -> StoreRecord {
        try await storage.read { try $0.record() }
    }

    package func lists() async throws -> [(list: ReplicaList, counts: ListCounts)] {
        try await storage.read { store in
            try store.lists().map { (list: $0, counts: try store.counts(of: $0.name)) }
        }
    }

    /// Adds a list on this machine. The hub does not have it unless its operator adds one of the same name.
    package func addList(_ name: ListName, kind: ListKind) async throws {
        try await storage.write { store in
            guard try store.list(name) == nil else {
                throw ModelError(.listExists, "there is a list '\(name)' already")
            }
            try store.put(ReplicaList(name: name, kind: kind))
        }
    }

    /// How far a list has been pulled.
    package func cursor(of list: ListName) async throws -> Cursor? {
        try await storage.read { try Self.list(list, in: $0).cursor }
    }

    /// Hub time as this machine estimates it.
    func now(_ record: StoreRecord) -> Timestamp {
        Timestamp(milliseconds: time.now &+ record.clockOffset)
    }

    func mintNonce() -> Nonce { Nonce(random: random.next()) }

    static func list(_ name: ListName, in store: any ReplicaReading) throws -> ReplicaList {
        guard let list = try store.list(name) else { throw ModelError(.noSuchList, "there is no list '\(name)'") }
        return list
    }
}
