import Platform
import Replica
import Sync
import TandemItems
import TestSupport
import Testing

/// Random transactions on both implementations: after each of them both hold the same.
@Suite struct ReplicaStorageModelTests {
    @Test(.timeLimit(.minutes(2))) func storesAgreeAfterEveryTransaction() async throws {
        let seed = TestSeed.make()
        let memory = try MemoryReplicaStorage(new: .forTests)
        try await withSQLiteStorage { directory, first in
            var storage = first
            let random = SeededRandom(seed: seed)
            for round in 0..<300 {
                let steps = (0..<Int(random.next() % 6) + 1).map { _ in random.next() }
                let isUndone = random.next() % 5 == 0
                let (one, two) = (await run(steps, isUndone, on: memory), await run(steps, isUndone, on: storage))
                #expect(one == two, "round \(round)")
                let expected = try await memory.read { try StoreContents($0) }
                try #require(try await storage.read { try StoreContents($0) } == expected, "round \(round)")
                try await comparePlaces(memory, storage, random.next())
                guard random.next() % 40 == 0 else { continue }
                await storage.close()
                storage = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            }
            await storage.close()
        }
    }

    /// Whether the transaction went through.
    private func run(_ steps: [UInt64], _ isUndone: Bool, on storage: any ReplicaStorage) async -> Bool {
        do {
            try await storage.write { transaction in
                for step in steps { try apply(step, to: transaction) }
                if isUndone { throw Undo() }
            }
            return true
        } catch {
            return false
        }
    }

    private func comparePlaces(
        _ memory: any ReplicaStorage, _ storage: any ReplicaStorage, _ word: UInt64
    ) async throws {
        let place = Place(orderKey: Self.text(word), id: try ItemID("i" + Self.text(word >> 8)))
        for list in try Self.lists() {
            let expected = try await memory.read { try $0.items(in: list, after: place, limit: 3) }
            #expect(try await storage.read { try $0.items(in: list, after: place, limit: 3) } == expected)
            let before = try await memory.read { try $0.item(before: place, in: list) }
            #expect(try await storage.read { try $0.item(before: place, in: list) } == before)
        }
    }

    private func apply(_ word: UInt64, to transaction: any ReplicaTransaction) throws {
        let list = try Self.lists()[Int((word >> 8) % 3)]
        let n = Int64((word >> 16) % 40) + 1
        switch word % 16 {
        case 0: try transaction.removeList(list)
        case 1, 2: try transaction.put(ReplicaList(name: list, kind: .todo, lastN: n))
        case 3: try transaction.append(makeMutation(n, "i" + Self.text(word >> 24)), in: list)
        case 4: try transaction.removePending(n, in: list)
        case 5: try transaction.put(makeQuarantined(n, in: list))
        case 6: try transaction.removeQuarantined(Nonce("nonce-\(n)"))
        case 7: try transaction.setNames([ReplicaID("r\(n)"): "name"])
        default: try transaction.put(Self.item(word >> 24), in: list)
        }
    }

    private static func item(_ word: UInt64) throws -> StoredItem {
        let id = "i" + text(word)
        let order = (word >> 8) % 3 == 0 ? nil : ((word >> 8) % 3 == 1 ? text(word >> 16) : id)
        let shown = try makeItem(
            id, "t\((word >> 20) % 3)", order: order, isDeleted: (word >> 22) % 4 == 0,
            conflicts: Int((word >> 26) % 5 / 4))
        switch (word >> 30) % 3 {
        case 0: return StoredItem(confirmed: nil, shown: shown)
        case 1: return StoredItem(confirmed: try makeItem(id), shown: shown)
        default: return StoredItem(confirmed: shown, shown: shown)
        }
    }

    private static func lists() throws -> [ListName] { try [.todo, ListName("a"), ListName("b")] }

    private static func text(_ word: UInt64) -> String {
        ["", "a", "A", "b", "\u{e9}", "e\u{301}", "ib", "i", "z", "i\u{e9}"][Int(word % 10)]
    }
}
