import Replica
import Sync
import TandemItems
import Testing

/// The rules of the port, held against every implementation: pending and quarantined mutations.
@Suite struct ReplicaStoragePendingTests {
    @Test(arguments: StorageKind.allCases) func mutationIsKeptVerbatim(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let mutation = Mutation(
                replica: try ReplicaID("r\u{e9}"), n: .max, nonce: try Nonce("n"), item: try ItemID("\u{e9}"),
                base: Version(7), set: [.title: "NUL \u{0}", .deleted: false, .order: nil],
                increments: [try FieldName("count"): -3], at: Timestamp(milliseconds: -1), unknown: ["new": [1]])
            try await storage.write { try $0.append(mutation, in: .todo) }
            let stored = try await storage.read { try $0.pending(of: mutation.item, in: .todo) }
            #expect(stored == [mutation])
            #expect(stored.first?.json.text == mutation.json.text)
        }
    }

    @Test(arguments: StorageKind.allCases) func pendingComesInOrderFromANumberOn(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.write { transaction in
                for n in [1, 2, 5, 300, 70_000] as [Int64] { try transaction.append(makeMutation(n), in: .todo) }
                try transaction.append(makeMutation(3), in: other)
            }
            let numbers = { (from: Int64, limit: Int) in
                try await storage.read {
                    try $0.pending(in: .todo, from: from, limit: limit, maximumBytes: .max).map(\.n)
                }
            }
            #expect(try await numbers(0, 9) == [1, 2, 5, 300, 70_000])
            #expect(try await numbers(3, 2) == [5, 300])
            #expect(try await numbers(70_000, 9) == [70_000])
            #expect(try await numbers(70_001, 9) == [])
            #expect(try await numbers(0, 0) == [])
            #expect(try await storage.read { try $0.counts(of: .todo).pending } == 5)
        }
    }

    @Test(arguments: StorageKind.allCases) func batchStaysBelowItsBytes(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let mutations = try (1...4).map { try makeMutation($0, title: String(repeating: "x", count: 100)) }
            let size = mutations[0].json.encoded().count
            try await storage.write { transaction in
                for mutation in mutations { try transaction.append(mutation, in: .todo) }
            }
            for (bytes, count) in [
                (0, 1), (1, 1), (size, 1), (2 * size - 1, 1), (2 * size, 2), (4 * size, 4), (.max, 4),
            ] {
                let batch = try await storage.read {
                    try $0.pending(in: .todo, from: 0, limit: 9, maximumBytes: bytes)
                }
                #expect(batch.count == count, "\(bytes) bytes")
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func pendingOfAnItemIsItsOwn(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.write { transaction in
                try transaction.append(makeMutation(1, "\u{e9}"), in: .todo)
                try transaction.append(makeMutation(2, "e\u{301}"), in: .todo)
                try transaction.append(makeMutation(3, "\u{e9}"), in: .todo)
            }
            let id = try ItemID("\u{e9}")
            #expect(try await storage.read { try $0.pending(of: id, in: .todo).map(\.n) } == [1, 3])
        }
    }

    @Test(arguments: StorageKind.allCases) func removedMutationIsGoneAndNoOther(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            #expect(try await storage.read { try !$0.hasPending(in: .todo) })
            try await storage.write { transaction in
                try transaction.append(makeMutation(1), in: .todo)
                try transaction.append(makeMutation(2), in: .todo)
                try transaction.append(makeMutation(1), in: other)
            }
            try await storage.write { transaction in
                try transaction.removePending(1, in: .todo)
                try transaction.removePending(9, in: .todo)
            }
            try await storage.read { reading throws in
                #expect(try reading.pending(in: .todo, from: 0, limit: 9, maximumBytes: .max).map(\.n) == [2])
                #expect(try reading.hasPending(in: .todo) && reading.hasPending(in: other))
            }
            try await storage.write { try $0.removePending(2, in: .todo) }
            #expect(try await storage.read { try !$0.hasPending(in: .todo) })
        }
    }

    @Test(arguments: StorageKind.allCases) func numberStandsOnceInAList(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.write { try $0.append(makeMutation(1), in: .todo) }
            await #expect(throws: ReplicaStorageError.self) {
                try await storage.write { try $0.append(makeMutation(1, title: "other"), in: .todo) }
            }
            let kept = try await storage.read { try $0.pending(in: .todo, from: 0, limit: 9, maximumBytes: .max) }
            #expect(try kept == [makeMutation(1)])
        }
    }

    @Test(arguments: StorageKind.allCases) func quarantineKeepsOrderAndReplacesByNonce(_ kind: StorageKind) async throws
    {
        try await withStorage(kind) { storage in
            try await storage.write { transaction in
                try transaction.put(makeQuarantined(2))
                try transaction.put(makeQuarantined(1))
                try transaction.put(makeQuarantined(3))
                try transaction.put(makeQuarantined(2, code: "not-a-counter"))
                try transaction.removeQuarantined(Nonce("nonce-1"))
                try transaction.removeQuarantined(Nonce("missing"))
            }
            let kept = try await storage.read { try $0.quarantined() }
            #expect(try kept == [makeQuarantined(2, code: "not-a-counter"), makeQuarantined(3)])
            #expect(try await storage.read { try $0.counts(of: .todo).quarantined } == 2)
        }
    }
}
