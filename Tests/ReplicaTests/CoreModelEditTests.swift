import Platform
import Sync
import TandemItems
import Testing

/// What an edit does to a store.
struct CoreModelEditTests {
    @Test(arguments: StorageKind.allCases) func anEditIsShownAtOnceAndPending(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let edited = try await bench.edit("a", [.title: "milk"])
            #expect(edited.effect == .created)
            #expect(edited.item[.title] == "milk")
            #expect(try await bench.ids() == ["a"])
            let pending = try await bench.pending()
            #expect(pending.map(\.n) == [1])
            #expect(pending.first?.base == Version.none)
            #expect(pending.first?.set == [.title: "milk"])
            #expect(try await bench.edit("a", [.title: "bread"]).effect == .changed)
            #expect(try await bench.pending().map(\.n) == [1, 2])
            #expect(try await bench.confirmed("a") == nil)
        }
    }

    @Test(arguments: StorageKind.allCases) func anIDIsMintedWhereNoneIsGiven(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let first = try await bench.edit(nil, [.title: "one"])
            bench.time.advance(by: .milliseconds(1))
            let second = try await bench.edit(nil, [.title: "two"])
            #expect(first.item.id < second.item.id)
            #expect(try await bench.ids() == [first.item.id.text, second.item.id.text])
        }
    }

    @Test(arguments: StorageKind.allCases) func theBaseIsWhatTheAuthorSaw(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "milk"])
            try await bench.pull()
            try bench.hub.write("a", [.title: "bread"])
            try await bench.pull()
            try await bench.edit("a", [.title: "stale"], base: 1)
            try await bench.edit("a", [.title: "fresh"])
            try await bench.edit("a", [.title: "of the future"], base: 99)
            #expect(try await bench.pending().map(\.base.number) == [1, 2, 2])
            try await bench.push()
            #expect(try bench.hub.item("a")?.conflicts.map(\.value) == ["bread"])
        }
    }

    @Test(arguments: StorageKind.allCases) func anEditThatChangesNothingMintsNothing(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "milk", .isCompleted: false])
            let news = bench.model.commits.subscribe()
            let again = try await bench.edit("a", [.title: "milk", try FieldName("note"): .null])
            #expect(again.effect == .unchanged)
            #expect(try await bench.pending().count == 1)
            try await bench.edit("a", [.title: "milk", .isCompleted: true])
            #expect(try await bench.pending().last?.set == [.isCompleted: true])
            #expect(await news.next()?.commits.count == 1)
        }
    }

    @Test(arguments: StorageKind.allCases) func anItemIsMadeOfNothing(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let made = try await bench.edit("a", [:])
            #expect(made.effect == .created)
            #expect(try await bench.pending().map(\.set) == [[.deleted: false]])
            #expect(try await bench.edit("a", [:]).effect == .unchanged)
        }
    }

    @Test(arguments: StorageKind.allCases) func anEditBringsBackWhatIsShownAsDeleted(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "milk"])
            try await bench.edit("a", [.deleted: true])
            #expect(try await bench.ids() == [])
            #expect(try await bench.edit("a", [.deleted: true]).effect == .unchanged)
            #expect(try await bench.edit("a", [:]).effect == .unchanged)
            let back = try await bench.edit("a", [.title: "bread"])
            #expect(back.effect == .created)
            #expect(try await bench.pending().last?.set == [.title: "bread", .deleted: false])
            #expect(try await bench.ids() == ["a"])
        }
    }

    @Test(arguments: StorageKind.allCases) func anEditSaysWhatItExpects(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            #expect(await modelError { try await bench.edit("a", [.title: "x"], .exists) }?.code == .noSuchItem)
            try await bench.edit("a", [.title: "x"], .isNew)
            #expect(await modelError { try await bench.edit("a", [.title: "y"], .isNew) }?.code == .itemExists)
            try await bench.edit("a", [.deleted: true], .exists)
            #expect(await modelError { try await bench.edit("a", [.title: "y"], .exists) }?.code == .noSuchItem)
            try await bench.edit("a", [.title: "z"], .isNew)
            #expect(try await bench.shown("a")[.title] == "z")
        }
    }

    @Test(arguments: StorageKind.allCases) func onlyTheEditThatBreaksARuleIsLeftOut(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let edits = [
                Edit(item: try ItemID("a"), set: [.title: "one"]),
                Edit(item: try ItemID("b"), set: [.title: "two"], expectation: .exists),
                Edit(item: try ItemID("a"), increments: [.title: 1]),
                Edit(item: try ItemID("c"), set: [.title: "three"]),
            ]
            let results = try await bench.model.edit(edits, in: .todo)
            #expect(results.map { (try? $0.get())?.effect } == [.created, nil, nil, .created])
            #expect(try await bench.pending().map(\.n) == [1, 2])
            #expect(try await bench.ids() == ["a", "c"])
        }
    }

    @Test(arguments: StorageKind.allCases) func counterAddsAndTextDoesNot(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let count = try FieldName("count")
            try await bench.edit("a", [.title: "x"], increments: [count: 2])
            try await bench.edit("a", [:], increments: [count: 3])
            #expect(try await bench.shown("a")[count] == 5)
            #expect(await modelError { try await bench.edit("a", [:], increments: [.title: 1]) }?.code == .invalid)
            #expect(await modelError { try await bench.edit("a", [:], increments: [count: .max]) }?.code == .invalid)
            #expect(try await bench.pending().count == 2)
        }
    }

    @Test(arguments: StorageKind.allCases) func theHubsLimitsAreKeptHere(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            bench.hub.with { $0.limits = Limits(itemBytes: 64, fields: 3) }
            try await bench.join()
            let long = JSON.string(String(repeating: "x", count: 64))
            #expect(await modelError { try await bench.edit("a", [.title: long]) }?.code == .invalid)
            for name in ["x", "y", "z"] { try await bench.edit("a", [try FieldName(name): 1]) }
            let fourth = try FieldName("fourth")
            #expect(await modelError { try await bench.edit("a", [fourth: 1]) }?.code == .invalid)
            #expect(try await bench.pending().count == 3)
        }
    }

    @Test(arguments: StorageKind.allCases) func aReadersListTakesNoEdit(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            bench.hub.with { $0.roles = [.todo: .reader] }
            try await bench.join()
            #expect(await modelError { try await bench.edit("a", [.title: "x"]) }?.code == .readOnlyList)
            let none = try ListName("none")
            #expect(await modelError { try await bench.edit("a", [:], in: none) }?.code == .noSuchList)
            try await bench.model.leave()
            try await bench.edit("a", [.title: "x"])
        }
    }

    @Test(arguments: StorageKind.allCases) func unknownThingsSurviveAnEdit(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            let new = try FieldName("from a newer version")
            try bench.hub.write("a", [.title: "x", new: ["deep": [1, .null]]])
            let id = try ItemID("a")
            bench.hub.with { $0.lists[.todo]?.items[id]?.unknown["later"] = 7 }
            try await bench.pull()
            try await bench.edit("a", [.title: "y"])
            #expect(try await bench.pending().last?.set == [.title: "y"])
            let shown = try await bench.shown("a")
            #expect(shown[new] == ["deep": [1, .null]])
            #expect(shown.unknown["later"] == 7)
            try await bench.push()
            #expect(try bench.hub.item("a")?[new] == ["deep": [1, .null]])
        }
    }

    @Test(arguments: StorageKind.allCases) func timesAreTheHubs(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            bench.time.setWallClock(5_000)
            bench.hub.time.setWallClock(2_000_000_000_000)
            try await bench.join()
            try await bench.edit("a", [.title: "x"])
            #expect(try await bench.pending().first?.at == Timestamp(milliseconds: 2_000_000_000_000))
        }
    }
}
