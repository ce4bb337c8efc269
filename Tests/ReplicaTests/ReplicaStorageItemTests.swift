import Replica
import Sync
import TandemItems
import Testing

/// The rules of the port, held against every implementation: items, their order, their changes.
@Suite struct ReplicaStorageItemTests {
    /// Ids and keys in bytewise order: upper before lower case, a prefix before what it begins, NFC after NFD,
    /// U+FFFD before U+10000 although UTF-16 has them the other way round.
    static let texts = [
        "!", "%", "A", "Z", "_", "a", "a b", "a%", "a_", "aa", "b", "e\u{301}", "z", "\u{e9}", "\u{7ff}", "\u{fffd}",
        "\u{10000}", "\u{10ffff}",
    ]

    @Test(arguments: StorageKind.allCases) func itemsStandInTheOrderOfTheirIDs(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put(Self.texts.reversed().map { try makeItem($0) })
            #expect(try await storage.order().map { Array($0.utf8) } == Self.texts.map { Array($0.utf8) })
        }
    }

    @Test(arguments: StorageKind.allCases) func orderKeyGoesBeforeID(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let keyed = try Self.texts.enumerated().map { try makeItem("id-\(99 - $0.offset)", order: $0.element) }
            try await storage.put(keyed.reversed())
            #expect(try await storage.order() == keyed.map(\.id.text))
        }
    }

    @Test(arguments: StorageKind.allCases) func keyedAndUnkeyedItemsShareOneOrder(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put([
                makeItem("b"), makeItem("d"), makeItem("x", order: "c"), makeItem("w", order: "a"),
                makeItem("v", order: ""), makeItem("u", order: "d\u{0}"), makeItem("e", order: "e"),
            ])
            #expect(try await storage.order() == ["v", "w", "b", "x", "d", "u", "e"])
        }
    }

    @Test(arguments: StorageKind.allCases) func equalKeysAreOrderedByID(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            // "k" stands by its own id, among those that have it as their key.
            try await storage.put([
                makeItem("z", order: "k"), makeItem("k"), makeItem("a", order: "k"), makeItem("m", order: "k"),
            ])
            #expect(try await storage.order() == ["a", "k", "m", "z"])
        }
    }

    @Test(arguments: StorageKind.allCases) func everyPlaceSplitsTheOrder(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let keyed = try Self.texts.map { try makeItem("id \($0)", order: $0) }
            let plain = try Self.texts.map { try makeItem($0) }
            let ties = try [
                makeItem("tie 1", order: "a"), makeItem("zz tie", order: "a"), makeItem("gone", isDeleted: true),
            ]
            try await storage.put(keyed + plain + ties)
            let all = try await storage.read { try $0.items(in: .todo, after: nil, limit: 999) }
            #expect(all.count == keyed.count + plain.count + 2)
            try await storage.read { reading throws in
                for (index, item) in all.enumerated() {
                    let place = Place(item)
                    #expect(
                        try reading.items(in: .todo, after: place, limit: 2) == Array(all[(index + 1)...].prefix(2)))
                    #expect(try reading.item(before: place, in: .todo) == (index == 0 ? nil : all[index - 1]))
                }
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func placeNeedsNoItem(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put([makeItem("a"), makeItem("c", order: "b"), makeItem("e")])
            let place = Place(orderKey: "b", id: try ItemID("d"))
            let before = Place(orderKey: "", id: try ItemID("a"))
            try await storage.read { reading throws in
                #expect(try reading.items(in: .todo, after: place, limit: 9).map(\.id.text) == ["e"])
                #expect(try reading.item(before: place, in: .todo)?.id.text == "c")
                #expect(try reading.item(before: before, in: .todo) == nil)
                #expect(try reading.items(in: .todo, after: before, limit: 9).map(\.id.text) == ["a", "c", "e"])
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func pagesCoverTheListOnce(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put((0..<50).map { try makeItem("i\($0)", order: $0 % 3 == 0 ? nil : "i\($0 / 7)") })
            let all = try await storage.order()
            var paged: [String] = []
            var place: Place?
            repeat {
                let from = place
                let page = try await storage.read { try $0.items(in: .todo, after: from, limit: 7) }
                paged += page.map(\.id.text)
                place = page.last.map { Place($0) }
            } while place != nil && paged.count < 100
            #expect(paged == all && all.count == 50)
            #expect(try await storage.read { try $0.items(in: .todo, after: nil, limit: 0) } == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func deletedItemIsKeptAndNotListed(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let gone = try makeItem("b", isDeleted: true)
            try await storage.put([makeItem("a"), makeItem("b")])
            try await storage.put([gone])
            #expect(try await storage.order() == ["a"])
            #expect(try await storage.read { try $0.counts(of: .todo).items } == 1)
            let id = gone.id
            #expect(try await storage.read { try $0.item(id, in: .todo) } == StoredItem(confirmed: gone, shown: gone))
            try await storage.put([makeItem("b", "back")])
            #expect(try await storage.order() == ["a", "b"])
            #expect(try await storage.read { try $0.counts(of: .todo).items } == 2)
        }
    }

    @Test(arguments: StorageKind.allCases) func bothStatesAreKept(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let confirmed = try makeItem("a", "confirmed")
            let shown = try makeItem("a", "shown", order: "b", version: 0)
            let states = [
                StoredItem(confirmed: confirmed, shown: shown), StoredItem(confirmed: nil, shown: shown),
                StoredItem(confirmed: confirmed, shown: confirmed),
            ]
            for state in states {
                try await storage.write { try $0.put(state, in: .todo) }
                #expect(try await storage.read { try $0.item(state.shown.id, in: .todo) } == state)
                #expect(try await storage.read { try $0.items(in: .todo, after: nil, limit: 9) } == [state.shown])
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func itemIsKeptVerbatim(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let item = try makeRichItem()
            let plain = Item(id: try ItemID("without fields"))
            try await storage.put([item, plain])
            for item in [item, plain] {
                let stored = try await storage.read { try $0.item(item.id, in: .todo) }
                #expect(stored?.shown == item)
                #expect(stored?.shown.json.text == item.json.text)
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func largestItemIsKept(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let item = try makeItem("big", String(repeating: "x\u{e9}\"", count: 1 << 18))
            try await storage.put([item])
            #expect(try await storage.read { try $0.item(item.id, in: .todo)?.shown } == item)
        }
    }

    @Test(arguments: StorageKind.allCases) func idsAreComparedBytewise(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put([makeItem("\u{e9}", "NFC"), makeItem("e\u{301}", "NFD")])
            let composed = try ItemID("\u{e9}")
            let decomposed = try ItemID("e\u{301}")
            try await storage.read { reading throws in
                #expect(try reading.item(composed, in: .todo)?.shown[.title] == "NFC")
                #expect(try reading.item(decomposed, in: .todo)?.shown[.title] == "NFD")
                #expect(try reading.items(idPrefix: "e", limit: 9).map(\.item[.title]) == ["NFD"])
                #expect(try reading.items(idPrefix: "\u{e9}", limit: 9).map(\.item[.title]) == ["NFC"])
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func sameIDInTwoListsIsTwoItems(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.put([makeItem("a", "one")])
            try await storage.put([makeItem("a", "two", isDeleted: true)], in: other)
            try await storage.read { reading throws in
                #expect(try reading.item(ItemID("a"), in: .todo)?.shown[.title] == "one")
                #expect(try reading.item(ItemID("a"), in: other)?.shown[.title] == "two")
                let found = try reading.items(idPrefix: "a", limit: 9)
                #expect(found.map(\.list) == [.todo, other])
                #expect(found.map(\.item[.title]) == ["one", "two"])
                #expect(try reading.items(idPrefix: "a", limit: 1).map(\.list) == [.todo])
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func everyTextIsItsOwnPrefixOnly(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put(Self.texts.map { try makeItem($0) })
            try await storage.read { reading throws in
                for prefix in Self.texts + ["", "q"] {
                    let expected = Self.texts.filter { $0.utf8.starts(with: prefix.utf8) }
                    let found = try reading.items(idPrefix: prefix, limit: 99).map(\.item.id)
                    #expect(try found == expected.map { try ItemID($0) }, "prefix \(prefix)")
                }
                #expect(try reading.items(idPrefix: "a", limit: 2).map(\.item.id.text) == ["a", "a b"])
                #expect(try reading.items(idPrefix: "a", limit: 0).isEmpty)
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func everyTextIsItsOwnSuffixOnly(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.put(Self.texts.map { try makeItem($0) })
            try await storage.put([makeItem("one b"), makeItem("two b", isDeleted: true)], in: other)
            try await storage.read { reading throws in
                for suffix in Self.texts + ["", "q", "%", "_"] {
                    let expected = Self.texts.filter { $0.utf8.reversed().starts(with: suffix.utf8.reversed()) }
                    let found = try reading.items(idSuffix: suffix, limit: 99).filter { $0.list == .todo }
                    #expect(try found.map(\.item.id) == expected.map { try ItemID($0) }, "suffix \(suffix)")
                }
                let found = try reading.items(idSuffix: "b", limit: 99)
                #expect(found.filter { $0.list == other }.map(\.item.id.text) == ["one b", "two b"])
                #expect(try reading.items(idSuffix: "b", limit: 1).count == 1)
                #expect(try reading.items(idSuffix: "b", limit: 0).isEmpty)
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func conflictedItemsAreFound(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            try await storage.put([makeItem("b", conflicts: 2), makeItem("a", conflicts: 1), makeItem("c")])
            // The confirmed item has a conflict that the shown one has settled.
            let settled = StoredItem(confirmed: try makeItem("d", conflicts: 1), shown: try makeItem("d"))
            try await storage.write { try $0.put(settled, in: .todo) }
            #expect(try await storage.read { try $0.conflicted(in: .todo).map(\.id.text) } == ["a", "b"])
            #expect(try await storage.read { try $0.counts(of: .todo).conflicts } == 2)
            try await storage.put([makeItem("a")])
            #expect(try await storage.read { try $0.conflicted(in: .todo).map(\.id.text) } == ["b"])
        }
    }

    @Test(arguments: StorageKind.allCases) func eachChangedItemIsToldOnceInOrder(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.put([makeItem("a"), makeItem("b")])
            try await storage.put([makeItem("c")], in: other)
            try await storage.put([makeItem("a", "again"), makeItem("d", isDeleted: true)])
            try await storage.read { reading throws in
                let changes = try reading.changes(after: 0, limit: 99)
                #expect(changes.map(\.item.id.text) == ["b", "c", "a", "d"])
                #expect(changes.map(\.list) == [.todo, other, .todo, .todo])
                #expect(changes.map(\.stamp) == [2, 3, 4, 5])
                #expect(changes[2].item[.title] == "again")
                #expect(try reading.changes(after: 3, limit: 1).map(\.item.id.text) == ["a"])
                #expect(try reading.changes(after: 5, limit: 9).isEmpty)
                #expect(try reading.lastStamp() == 5)
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func stampIsNeverGivenTwice(_ kind: StorageKind) async throws {
        try await withStorage(kind) { storage in
            let other = try ListName("other")
            try await storage.add(other)
            try await storage.put([makeItem("a")])
            try await storage.put([makeItem("b"), makeItem("c")], in: other)
            try await storage.write { try $0.removeList(other) }
            #expect(try await storage.read { try $0.lastStamp() } == 3)
            try await storage.put([makeItem("d")])
            #expect(try await storage.read { try $0.changes(after: 1, limit: 9).map(\.stamp) } == [4])
            // Within one transaction too.
            try await storage.write { transaction in
                try transaction.put([makeItem("e")])
                try transaction.removeList(.todo)
                try transaction.put(ReplicaList(name: .todo, kind: .todo))
                try transaction.put([makeItem("f")])
                #expect(try transaction.lastStamp() == 6)
            }
        }
    }
}

/// An item with everything that an item may have.
private func makeRichItem() throws -> Item {
    let origin = Origin(
        version: Version(9_007_199_254_740_993), replica: try ReplicaID("r\"\u{e9}"), n: .max,
        at: Timestamp(milliseconds: -1), blend: Version(3))
    var item = try makeItem("rich", "NUL \u{0} and \u{1F600}", order: "\u{e9}", version: 4, conflicts: 2)
    item.fields[try FieldName("count")] = Field(.int(.min), origin)
    item.fields[try FieldName("pi")] = Field(3.5, origin)
    item.fields[try FieldName("one")] = Field(1.0, origin)
    item.fields[try FieldName("nothing")] = Field(.null, origin)
    item.fields[try FieldName("e\u{301}")] = Field(["z": [1, "two", nil], "a": ["deep": true]], origin)
    item.fields[try FieldName("\u{e9}")] = Field("composed", origin)
    item.unknown = ["from-a-newer-version": [1, 2]]
    return item
}
