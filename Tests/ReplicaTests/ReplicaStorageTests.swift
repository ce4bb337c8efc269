import Replica
import Sync
import Synchronization
import TandemItems
import Testing

/// The rules of the port, held against every implementation: transactions, the record, lists, names.
@Suite struct ReplicaStorageTests {
    @Test(arguments: StorageKind.allCases) func newStoreHasItsRecordAndOneList(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let record = try await storage.read { try $0.record() }
            let expected = StoreRecord(
                replica: NewStore.forTests.makeRecord().replica, name: "desk", machine: "machine-1", path: "/store")
            #expect(record == expected)
            #expect(try await storage.read { try $0.lists() } == [ReplicaList(name: .todo, kind: .todo)])
            #expect(try await storage.read { try $0.lastStamp() } == 0)
        }
    }

    @Test(arguments: StorageKind.allCases) func throwingBodyChangesNothing(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let list = try ListName("shopping")
            try await storage.put([makeItem("a")])
            let before = try await storage.read { try StoreContents($0) }
            await #expect(throws: Undo.self) {
                try await storage.write { transaction in
                    var record = try transaction.record()
                    record.name = "other"
                    try transaction.put(record)
                    try transaction.put(ReplicaList(name: list, kind: .todo))
                    try transaction.put([makeItem("a", "changed"), makeItem("b")])
                    try transaction.append(makeMutation(1), in: .todo)
                    try transaction.put(makeQuarantined(2))
                    try transaction.setNames([ReplicaID("r2"): "laptop"])
                    throw Undo()
                }
            }
            #expect(try await storage.read { try StoreContents($0) } == before)
        }
    }

    @Test(arguments: StorageKind.allCases) func throwingBodyIsNotToldOfAsCommitted(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let isCommitted = Mutex(false)
            await #expect(throws: Undo.self) {
                try await storage.write { _ in
                    throw Undo()
                } committed: {
                    isCommitted.withLock { $0 = true }
                }
            }
            #expect(!isCommitted.withLock { $0 })
        }
    }

    @Test(arguments: StorageKind.allCases) func removalOfAListIsUndoneWithTheRest(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put([makeItem("a"), makeItem("b")])
            try await storage.write { try $0.append(makeMutation(1), in: .todo) }
            let before = try await storage.read { try StoreContents($0) }
            await #expect(throws: Undo.self) {
                try await storage.write { transaction in
                    try transaction.removeList(.todo)
                    throw Undo()
                }
            }
            #expect(try await storage.read { try StoreContents($0) } == before)
        }
    }

    @Test(arguments: StorageKind.allCases) func writtenIsReadInTheSameTransaction(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.write { transaction in
                try transaction.put([makeItem("a"), makeItem("b", isDeleted: true)])
                try transaction.append(makeMutation(1), in: .todo)
                let id = try ItemID("a")
                #expect(try transaction.item(id, in: .todo)?.shown == makeItem("a"))
                #expect(try transaction.counts(of: .todo) == ListCounts(items: 1, pending: 1))
                #expect(try transaction.lastStamp() == 2)
                #expect(try transaction.changes(after: 1, limit: 9).map(\.stamp) == [2])
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StorageKind.allCases)
    func committedIsCalledInTheOrderOfTheStamps(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let told = Told<Int64>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    group.addTask {
                        _ = try await storage.write { transaction in
                            try transaction.put([makeItem("item-\(index)")])
                            return try transaction.lastStamp()
                        } committed: { stamp in
                            told.append(stamp)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(told.values == Array(1...40))
        }
    }

    @Test(arguments: StorageKind.allCases) func committedIsCalledBeforeWriteReturns(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let told = Mutex(0)
            let value = try await storage.write { _ in
                7
            } committed: { value in
                told.withLock { $0 = value }
            }
            #expect(value == 7)
            #expect(told.withLock { $0 } == 7)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StorageKind.allCases)
    func readSeesOneStateWhileOthersWrite(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let begun = AsyncStream<Void>.makeStream()
            let gate = Gate()
            async let seen = storage.read { reading throws in
                begun.continuation.yield()
                gate.wait()
                return [try reading.counts(of: .todo).items, try reading.items(in: .todo, after: nil, limit: 9).count]
            }
            for await _ in begun.stream { break }
            try await storage.put([makeItem("a")])
            gate.open()
            #expect(try await seen == [0, 0])
            #expect(try await storage.order() == ["a"])
        }
    }

    @Test(arguments: StorageKind.allCases) func everyMemberOfTheRecordIsKept(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            var record = StoreRecord(
                replica: try ReplicaID("r\u{e9}"), name: "d\u{e9}sk \"1\"", machine: "m", path: "/p",
                membership: Membership(address: "https://hub.example", token: "secret", hubName: "home"),
                epoch: Epoch("e1"), clockOffset: -5,
                limits: Limits(itemBytes: 1, fields: 2, batchMutations: 3, batchBytes: 4))
            for _ in 0..<2 {
                let stored = record
                try await storage.write { try $0.put(stored) }
                #expect(try await storage.read { try $0.record() } == record)
                record.membership?.hubName = nil
                record.epoch = nil
            }
            record.membership = nil
            let stored = record
            try await storage.write { try $0.put(stored) }
            #expect(try await storage.read { try $0.record() } == record)
        }
    }

    @Test(arguments: StorageKind.allCases) func listsStandInTheOrderTheyWereAdded(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let cursor = try #require(Cursor("epoch.7.0af3"))
            let first = ReplicaList(name: .todo, kind: .todo, role: .reader, cursor: cursor, lastN: 9)
            let second = ReplicaList(name: try ListName("A"), kind: ListKind("from-a-newer-version"))
            try await storage.write { try $0.put(second) }
            try await storage.write { try $0.put(first) }
            #expect(try await storage.read { try $0.lists() } == [first, second])
            #expect(try await storage.read { try $0.list(.todo) } == first)
            let missing = try ListName("missing")
            #expect(try await storage.read { try $0.list(missing) } == nil)
        }
    }

    @Test(arguments: StorageKind.allCases) func removedListIsGoneWithAllThatItHeld(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.write { transaction in
                for list in [ListName.todo, other] {
                    try transaction.put([makeItem("a", conflicts: 1), makeItem("b")], in: list)
                    try transaction.append(makeMutation(1), in: list)
                }
                try transaction.put(makeQuarantined(2))
                try transaction.put(makeQuarantined(3, in: other))
            }
            try await storage.write { try $0.removeList(.todo) }
            let contents = try await storage.read { try StoreContents($0) }
            #expect(contents.lists.map(\.list.name) == [other])
            #expect(contents.lists.first?.counts == ListCounts(items: 2, pending: 1, conflicts: 1, quarantined: 1))
            #expect(try await storage.read { try $0.counts(of: .todo) } == ListCounts())
            #expect(try await storage.order() == [])

            try await storage.add(.todo)
            #expect(try await storage.read { try $0.lists().map(\.name) } == [other, .todo])
            #expect(try await storage.order() == [])
            try await storage.write { try $0.append(makeMutation(1), in: .todo) }
        }
    }

    @Test(arguments: StorageKind.allCases) func removingAMissingListDoesNothing(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let before = try await storage.read { try StoreContents($0) }
            let missing = try ListName("missing")
            try await storage.write { try $0.removeList(missing) }
            #expect(try await storage.read { try StoreContents($0) } == before)
        }
    }

    @Test(arguments: StorageKind.allCases) func writingToAMissingListIsRefused(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let missing = try ListName("missing")
            let bodies: [@Sendable (any ReplicaTransaction) throws -> Void] = [
                { try $0.put([makeItem("a")], in: missing) },
                { try $0.append(makeMutation(1), in: missing) },
                { try $0.put(makeQuarantined(1, in: missing)) },
            ]
            for body in bodies {
                await #expect(throws: ReplicaStorageError.self) { try await storage.write(body) }
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func readingAMissingListFindsNothing(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let missing = try ListName("missing")
            try await storage.read { reading throws in
                let place = try Place(orderKey: "z", id: ItemID("z"))
                #expect(try reading.item(ItemID("a"), in: missing) == nil)
                #expect(try reading.items(in: missing, after: nil, limit: 1).isEmpty)
                #expect(try reading.item(before: place, in: missing) == nil)
                #expect(try reading.conflicted(in: missing).isEmpty)
                #expect(try !reading.hasPending(in: missing))
                #expect(try reading.pending(in: missing, from: 0, limit: 1, maximumBytes: 1).isEmpty)
                #expect(try reading.counts(of: missing) == ListCounts())
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func namesAreReplacedAsAWhole(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let composed = try ReplicaID("\u{e9}")
            let decomposed = try ReplicaID("e\u{301}")
            try await storage.write { try $0.setNames([composed: "one", decomposed: "two"]) }
            #expect(try await storage.read { try $0.replicaNames() } == [composed: "one", decomposed: "two"])
            try await storage.write { try $0.setNames([composed: "three"]) }
            #expect(try await storage.read { try $0.replicaNames() } == [composed: "three"])
        }
    }
}
