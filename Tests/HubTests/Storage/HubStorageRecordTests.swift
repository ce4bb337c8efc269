import Hub
import TandemItems
import Testing

/// Lists, history, ledger, tokens and names.
@Suite(.timeLimit(.minutes(2)))
struct HubStorageRecordTests {
    @Test(arguments: StorageKind.allCases)
    func ledgerTellsAcceptedFromRefused(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let refusal = Refusal(code: "item-too-large", message: "it is \"too\" large")
            try await storage.write { hub in
                try hub.accept(mutation("a", n: 1))
                try hub.record(refusal, of: mutation("b", n: 2), in: .todo)
            }
            try await storage.read { hub throws in
                let r1 = try ReplicaID("r1")
                let accepted = LedgerEntry(nonce: try Nonce("r1-1"), outcome: .accepted(Version(1)))
                let refused = LedgerEntry(nonce: try Nonce("r1-2"), outcome: .refused(refusal))
                #expect(try hub.ledgerEntry(in: .todo, replica: r1, n: 1) == accepted)
                #expect(try hub.ledgerEntry(in: .todo, replica: r1, n: 2) == refused)
                #expect(try hub.ledgerEntry(in: .todo, replica: r1, n: 3) == nil)
                #expect(try hub.ledgerEntry(in: .todo, replica: try ReplicaID("r2"), n: 1) == nil)
                #expect(try hub.list(.todo)?.head == Version(1))
                #expect(try hub.item(try ItemID("b"), in: .todo) == nil)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func numberIsAnsweredOnce(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                try hub.accept(mutation("a", n: 1))
                try hub.record(.replicaForked, of: mutation("b", n: 2), in: .todo)
            }
            for n in [1, 2] as [Int64] {
                await #expect(throws: HubStorageError.self) {
                    try await storage.write { try $0.accept(mutation("c", n: n)) }
                }
                await #expect(throws: HubStorageError.self) {
                    try await storage.write { try $0.record(.replicaForked, of: mutation("c", n: n), in: .todo) }
                }
            }
            #expect(try await storage.read { try $0.page() } == ["a"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func sequenceFollowsTheHead(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            for sequence in [0, 2, 7] as [Int64] {
                await #expect(throws: HubStorageError.self) {
                    try await storage.write { hub in
                        let entry = HistoryEntry(
                            sequence: Version(sequence), mutation: try mutation("a"),
                            accepted: Timestamp(milliseconds: 1), opened: [], closed: [])
                        try hub.append(entry, digest: "d", in: .todo)
                    }
                }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemAndItsEntryChangeTogetherInEitherOrder(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let id = try ItemID("a")
            let entry = HistoryEntry(
                sequence: Version(1), mutation: try mutation("a"), accepted: Timestamp(milliseconds: 1), opened: [],
                closed: [])
            var item = Item(id: id)
            item.version = Version(1)
            await expectStorageError(.failed) { try await storage.write { [item] in try $0.put(item, in: .todo) } }
            await expectStorageError(.failed) {
                try await storage.write { try $0.append(entry, digest: "d", in: .todo) }
            }
            item.version = Version(2)
            await expectStorageError(.failed) {
                try await storage.write { [item] hub in
                    try hub.append(entry, digest: "d", in: .todo)
                    try hub.put(item, in: .todo)
                }
            }
            #expect(try await storage.read { try $0.list(.todo)?.head } == Version.none)
            item.version = Version(1)
            try await storage.write { [item] hub in
                try hub.append(entry, digest: "d1", in: .todo)
                try hub.put(item, in: .todo)
            }
            try await storage.write { hub in
                for n in 2...4 as ClosedRange<Int64> { try hub.accept(mutation(n == 3 ? "b" : "a", n: n)) }
            }
            #expect(try await storage.read { try $0.history(of: id, in: .todo).map(\.sequence.number) } == [1, 2, 4])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemsMayBePutOnceAfterAllTheirEntries(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let ids = ["a", "b", "a", "a", "b", "c"]
            try await storage.write { hub in
                for (index, id) in ids.enumerated() {
                    let n = Int64(index + 1)
                    let entry = HistoryEntry(
                        sequence: Version(n), mutation: try mutation(id, n: n), accepted: Timestamp(milliseconds: 1),
                        opened: [], closed: [])
                    try hub.append(entry, digest: "d\(n)", in: .todo)
                }
                for (id, version) in [("a", 4), ("b", 5), ("c", 6)] as [(String, Int64)] {
                    var item = Item(id: try ItemID(id))
                    item.version = Version(version)
                    try hub.put(item, in: .todo)
                }
            }
            try await storage.write { try $0.accept(mutation("a", n: 7)) }
            try await storage.read { hub throws in
                let sequences = { id in try hub.history(of: try ItemID(id), in: .todo).map(\.sequence.number) }
                #expect(try sequences("a") == [1, 3, 4, 7])
                #expect(try sequences("b") == [2, 5])
                #expect(try sequences("c") == [6])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func historyOfAnItemIsOldestFirstAndWhole(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                try hub.accept(mutation("a", n: 1))
                try hub.accept(mutation("b", n: 2))
                // Not seen by its author, so a conflict opens.
                try hub.accept(mutation("a", set: [.title: "theirs"], by: "r2", n: 1))
                try hub.accept(mutation("a", set: [.title: "settled"], base: Version(3), n: 3))
            }
            let history = try await storage.read { try $0.history(of: try ItemID("a"), in: .todo) }
            #expect(history.map(\.sequence.number) == [1, 3, 4])
            #expect(history.map(\.opened.count) == [0, 1, 0])
            #expect(history.map(\.closed.count) == [0, 0, 1])
            #expect(history[1].mutation == (try mutation("a", set: [.title: "theirs"], by: "r2", n: 1)))
            #expect(history[0].accepted == Timestamp(milliseconds: 7))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func digestIsKnownAtEverySequence(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                for n in 1...3 as ClosedRange<Int64> { try hub.accept(mutation("a", n: n)) }
            }
            try await storage.read { hub throws in
                #expect(try hub.digest(in: .todo, at: .none) == "0")
                #expect(try hub.digest(in: .todo, at: Version(1)) == "d1")
                #expect(try hub.digest(in: .todo, at: Version(3)) == "d3")
                #expect(try hub.digest(in: .todo, at: Version(4)) == nil)
                #expect(try hub.digest(in: .todo, at: Version(-1)) == nil)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func removedListTakesEverythingOfItAndNothingElse(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let other = try ListName("other")
            try await storage.write { hub in
                try hub.add(HubList(name: other, kind: ListKind("contact"), digest: "start"))
                try hub.accept(mutation("a", n: 1))
                try hub.record(.replicaForked, of: mutation("b", n: 2), in: .todo)
                try hub.accept(mutation("a", n: 1), in: other)
                try hub.removeList(.todo)
                #expect(try hub.list(.todo) == nil)
                #expect(try hub.page().isEmpty)
                try hub.add(HubList(name: .todo, kind: .todo))
            }
            try await storage.read { hub throws in
                let r1 = try ReplicaID("r1")
                #expect(try hub.page(tombstones: true).isEmpty)
                #expect(try hub.item(try ItemID("a"), in: .todo) == nil)
                #expect(try hub.history(of: try ItemID("a"), in: .todo).isEmpty)
                #expect(try hub.ledgerEntry(in: .todo, replica: r1, n: 1) == nil)
                #expect(try hub.ledgerEntry(in: .todo, replica: r1, n: 2) == nil)
                #expect(try hub.digest(in: .todo, at: Version(1)) == nil)
                #expect(try hub.item(try ItemID("a"), in: other)?.version == Version(1))
                #expect(try hub.digest(in: other, at: .none) == "start")
            }
            try await storage.write { try $0.accept(mutation("a", n: 1)) }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func listsAreSortedAndTheirNamesUnique(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                for name in ["z", "Z", "a"] { try hub.add(HubList(name: try ListName(name), kind: ListKind("k"))) }
            }
            #expect(try await storage.read { try $0.lists().map(\.name.text) } == ["Z", "a", "todo", "z"])
            await #expect(throws: HubStorageError.self) {
                try await storage.write { try $0.add(HubList(name: .todo, kind: .todo)) }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func idsAreWhatTheirBytesSay(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                try hub.accept(mutation("caf\u{E9}", set: [.title: "NFC"], n: 1))
                try hub.accept(mutation("cafe\u{301}", set: [.title: "NFD"], n: 2))
                try hub.accept(mutation("'\"\\ 🍋", set: [.title: "quoted"], n: 3))
            }
            try await storage.read { hub throws in
                #expect(try hub.item(try ItemID("caf\u{E9}"), in: .todo)?[.title] == "NFC")
                #expect(try hub.item(try ItemID("cafe\u{301}"), in: .todo)?[.title] == "NFD")
                #expect(try hub.item(try ItemID("'\"\\ 🍋"), in: .todo)?[.title] == "quoted")
                #expect(try hub.history(of: try ItemID("cafe\u{301}"), in: .todo).count == 1)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func replicasAreWhatTheirBytesSay(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let composed = try ReplicaID("\u{E9}")
            let decomposed = try ReplicaID("e\u{301}")
            try await storage.write { hub in
                try hub.accept(mutation("a", by: "\u{E9}", n: 1))
                try hub.setName("one", of: composed)
                try hub.setName("two", of: decomposed)
                try hub.setName("three", of: decomposed)
            }
            try await storage.read { hub throws in
                #expect(try hub.replicaNames() == [composed: "one", decomposed: "three"])
                #expect(try hub.ledgerEntry(in: .todo, replica: composed, n: 1) != nil)
                #expect(try hub.ledgerEntry(in: .todo, replica: decomposed, n: 1) == nil)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemOfOneMebibyteIsKept(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let text = String(repeating: "\u{0}ü🍋", count: 1 << 17)
            try await storage.write { try $0.accept(mutation("big", set: [.title: .string(text)])) }
            let item = try await storage.read { try $0.item(try ItemID("big"), in: .todo) }
            #expect(item?[.title] == .string(text))
            #expect(try await storage.read { try $0.page(maximumBytes: 1) } == ["big"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func tokensAreFoundByHashAndReplacedByName(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            var phone = TokenRecord(
                name: "phone", hash: [0, 255, 7], role: .editor, lists: [.todo, try ListName("other")],
                created: Timestamp(milliseconds: 5), expires: Timestamp(milliseconds: 9))
            let laptop = TokenRecord(
                name: "Laptop", hash: [1], role: .reader, lists: [], created: Timestamp(milliseconds: 6))
            try await storage.write { [phone] hub in
                try hub.put(phone)
                try hub.put(laptop)
            }
            #expect(try await storage.read { try $0.tokens() } == [laptop, phone])
            phone.isRevoked = true
            phone.hash = [2]
            try await storage.write { [phone] hub in try hub.put(phone) }
            try await storage.read { [phone] hub throws in
                #expect(try hub.token(hash: [2]) == phone)
                #expect(try hub.token(hash: [0, 255, 7]) == nil)
                #expect(try hub.tokens() == [laptop, phone])
            }
            phone.hash = [1]
            await #expect(throws: HubStorageError.self) {
                try await storage.write { [phone] hub in try hub.put(phone) }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func epochIsTheOneOfTheStore(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            #expect(try await storage.read { try $0.epoch() } == Epoch("epoch-1"))
        }
    }
}
