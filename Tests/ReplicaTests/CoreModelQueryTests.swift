import Platform
import Sync
import TandemItems
import Testing

/// Which items are found, in what order.
struct CoreModelQueryTests {
    private func fill(_ bench: ModelBench, _ titles: [String]) async throws {
        for (index, title) in titles.enumerated() {
            try await bench.edit("i\(index)", [.title: .string(title), .isCompleted: .bool(index % 2 == 1)])
        }
    }

    @Test(arguments: StorageKind.allCases) func textIsFoundWithoutCaseAndDiacritics(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await fill(bench, ["Crème brûlée", "CREME", "brulee", "tea"])
            #expect(try await bench.ids(ItemQuery(text: "creme")) == ["i0", "i1"])
            #expect(try await bench.ids(ItemQuery(text: "BRÛLÉE")) == ["i0", "i2"])
            #expect(try await bench.ids(ItemQuery(text: "coffee")) == [])
            #expect(try await bench.ids(ItemQuery(text: "")).count == 4)
        }
    }

    @Test(arguments: StorageKind.allCases) func textIsFoundInsideValuesButNotInOrderKeys(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            let field = try FieldName("phones")
            try await bench.edit("a", [field: [["kind": "home", "number": "555"]], .order: "zebra"])
            #expect(try await bench.ids(ItemQuery(text: "55")) == ["a"])
            #expect(try await bench.ids(ItemQuery(text: "zebra")) == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func stateAndTextAreAskedForTogether(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await fill(bench, ["tea", "tea", "coffee", "coffee"])
            try await bench.edit("plain", [.title: "tea"])
            #expect(try await bench.ids(ItemQuery(isCompleted: true)) == ["i1", "i3"])
            #expect(try await bench.ids(ItemQuery(isCompleted: false)) == ["i0", "i2", "plain"])
            #expect(try await bench.ids(ItemQuery(text: "tea", isCompleted: false)) == ["i0", "plain"])
        }
    }

    @Test(arguments: StorageKind.allCases) func absentValuesComeLastBothWays(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let rank = try FieldName("rank")
            let values: [(String, JSON)] = [
                ("text", "b"), ("upper", "A"), ("none", .null), ("ten", 10), ("half", 0.5), ("yes", true),
                ("no", false),
                ("list", [1]), ("object", ["a": 1]),
            ]
            for (id, value) in values { try await bench.edit(id, [rank: value, .title: "x"]) }
            let order = ItemQuery.Order.field(rank, isDescending: false)
            let rising = ["no", "yes", "half", "ten", "upper", "text", "list", "object"]
            #expect(try await bench.ids(ItemQuery(order: order)) == rising + ["none"])
            let falling = ItemQuery.Order.field(rank, isDescending: true)
            #expect(try await bench.ids(ItemQuery(order: falling)) == rising.reversed() + ["none"])
            #expect(try await bench.ids(ItemQuery(order: order, limit: 2)) == ["no", "yes"])
        }
    }

    @Test(arguments: StorageKind.allCases) func equalValuesStandAsInTheList(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            for (id, key) in [("a", "3"), ("b", "2"), ("c", "1")] {
                try await bench.edit(id, [.title: "x", .order: .string(key)])
            }
            #expect(try await bench.ids() == ["c", "b", "a"])
            for isDescending in [false, true] {
                let order = ItemQuery.Order.field(.title, isDescending: isDescending)
                #expect(try await bench.ids(ItemQuery(order: order)) == ["c", "b", "a"])
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func pagesFollowOneAnother(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.storage.put(try (0..<1_205).map { try makeItem("k\(10_000 + $0)", "\($0)") })
            var found: [String] = []
            var place: Place?
            while case let page = try await bench.model.items(in: .todo, ItemQuery(text: "1", limit: 50, after: place)),
                let last = page.last
            {
                #expect(page.count <= 50)
                found += page.map(\.id.text)
                place = Place(last)
            }
            #expect(found == (0..<1_205).filter { "\($0)".contains("1") }.map { "k\(10_000 + $0)" })
        }
    }

    @Test(arguments: StorageKind.allCases, [0, -1]) func noItemsAreNoItems(_ kind: StorageKind, _ limit: Int)
        async throws
    {
        try await withModel(kind) { bench in
            try await fill(bench, ["a", "b"])
            #expect(try await bench.ids(ItemQuery(limit: limit)) == [])
            let sorted = ItemQuery(order: .field(.title, isDescending: false), limit: limit)
            #expect(try await bench.ids(sorted) == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func aQueryNeedsAList(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let none = try ListName("none")
            #expect(await modelError { _ = try await bench.ids(in: none) }?.code == .noSuchList)
        }
    }

    @Test(arguments: StorageKind.allCases) func anItemIsFoundByAPrefixThatFitsItAlone(_ kind: StorageKind) async throws
    {
        try await withModel(kind) { bench in
            for id in ["apple", "apricot", "b", "banana", "été"] { try await bench.edit(id, [.title: "x"]) }
            #expect(try await bench.shown("appl").id.text == "apple")
            #expect(try await bench.shown("b").id.text == "b")
            #expect(try await bench.shown("é").id.text == "été")
            #expect(await modelError { _ = try await bench.shown("ap") }?.code == .ambiguous)
            #expect(await modelError { _ = try await bench.shown("") }?.code == .noSuchItem)
            #expect(await modelError { _ = try await bench.shown("c") }?.code == .noSuchItem)
            // The same letters in other bytes are another id.
            #expect(await modelError { _ = try await bench.shown("e\u{301}") }?.code == .noSuchItem)
        }
    }

    @Test(arguments: StorageKind.allCases) func aShownItemWinsOverDeletedOnes(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let deleted = try (0..<100).map { try makeItem("a\(100 + $0)", isDeleted: true) }
            try await bench.storage.put(deleted + [try makeItem("az")])
            #expect(try await bench.shown("a").id.text == "az")
            #expect(await modelError { _ = try await bench.shown("a10") }?.code == .ambiguous)
            #expect(try await bench.shown("a199").isDeleted)
        }
    }

    @Test(arguments: StorageKind.allCases) func anItemIsFoundInItsListHoweverFullTheOthers(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            let other = try ListName("zzz")
            try await bench.storage.add(other)
            try await bench.storage.put(try (0..<200).map { try makeItem("a\($0)") })
            try await bench.storage.put([try makeItem("a"), try makeItem("alpha")], in: other)
            #expect(try await bench.model.inspect("alp", in: other).item.id.text == "alpha")
            #expect(try await bench.model.inspect("a").list.name == other)
            #expect(await modelError { _ = try await bench.model.inspect("a1") } == nil)
        }
    }

    @Test(arguments: StorageKind.allCases) func inspectionShowsAllThatIsKnown(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "one"])
            try await bench.push()
            try await bench.edit("a", [.title: "two"])
            let refusal = Refusal(code: "no", message: "no")
            try await bench.model.quarantine(try await bench.pending()[0], refusal, in: .todo)
            try await bench.edit("a", [.title: "three"])
            let seen = try await bench.model.inspect("a")
            #expect(seen.item[.title] == "three")
            #expect(seen.confirmed?[.title] == "one")
            #expect(seen.pending.map(\.set) == [[.title: "three"]])
            #expect(seen.quarantined.map(\.mutation.set) == [[.title: "two"]])
            #expect(seen.list.role == .editor)
            #expect(seen.replica == seen.pending.first?.replica)
        }
    }

    @Test(arguments: StorageKind.allCases) func changesAreReadFromAStampOn(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "x"])
            let stamp = try await bench.model.lastStamp()
            try await bench.edit("b", [.title: "x"])
            try await bench.edit("a", [.deleted: true])
            let changes = try await bench.model.changes(after: stamp, limit: 10)
            #expect(changes.map(\.item.id.text) == ["b", "a"])
            #expect(changes.map(\.item.isDeleted) == [false, true])
            #expect(changes.last?.stamp == (try await bench.model.lastStamp()))
        }
    }
}
