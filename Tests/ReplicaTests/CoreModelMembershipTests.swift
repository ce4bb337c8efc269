import Platform
import Sync
import TandemItems
import Testing

/// Joining, leaving, and hubs that are not what they were.
struct CoreModelMembershipTests {
    @Test(arguments: StorageKind.allCases) func anUnusedDefaultListGivesWay(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let shopping = try ListName("shopping")
            bench.hub.with { $0.roles = [:] }
            bench.hub.add(shopping)
            try await bench.join()
            #expect(try await bench.model.lists().map(\.list.name) == [shopping])
        }
    }

    @Test(arguments: StorageKind.allCases) func aUsedDefaultListStaysAndIsLocal(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let shopping = try ListName("shopping")
            try await bench.edit("a", [.title: "x"])
            bench.hub.with { $0.roles = [:] }
            bench.hub.add(shopping, role: .reader)
            try await bench.join()
            let lists = try await bench.model.lists()
            #expect(lists.map(\.list.name) == [.todo, shopping])
            #expect(lists.map(\.list.role) == [nil, .reader])
        }
    }

    @Test(arguments: StorageKind.allCases) func theDefaultListStaysWhereTheHubGrantsNone(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            bench.hub.with { $0.roles = [:] }
            try await bench.join()
            #expect(try await bench.model.lists().map(\.list.name) == [.todo])
        }
    }

    @Test(arguments: StorageKind.allCases) func aLocalListIsUploadedAfterAJoin(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "mine"])
            try bench.hub.write("a", [.title: "theirs"], at: 0)
            try await bench.join()
            #expect(try await bench.model.lists().first?.list.role == .editor)
            try await bench.pull()
            try await bench.push()
            #expect(try bench.hub.item("a")?[.title] == "mine")
            #expect(try bench.hub.item("a")?.conflicts.map(\.value) == ["theirs"])
        }
    }

    @Test(arguments: StorageKind.allCases) func leavingKeepsEverythingAndComingBackGoesOn(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "x"])
            try await bench.pull()
            try await bench.edit("b", [.title: "y"])
            try await bench.model.leave()
            #expect(await modelError { try await bench.model.leave() }?.code == .notJoined)
            #expect(try await bench.ids() == ["a", "b"])
            #expect(try await bench.model.lists().first?.list.role == nil)
            let cursor = try await bench.model.cursor(of: .todo)
            try await bench.join()
            #expect(try await bench.model.cursor(of: .todo) == cursor)
            #expect(try await bench.pending().map(\.item.text) == ["b"])
        }
    }

    @Test(arguments: StorageKind.allCases) func oneHubAtATime(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join("https://one")
            try await bench.join("https://one.by.another.name")
            bench.hub.with { $0.epoch = Epoch("second") }
            #expect(await modelError { try await bench.join("https://two") }?.code == .alreadyJoined)
            // The same hub, restored: its new token is taken.
            try await bench.join("https://one.by.another.name")
            #expect(try await bench.model.record().epoch == Epoch("second"))
        }
    }

    @Test(arguments: StorageKind.allCases) func anotherHubGetsWhatTheStoreHolds(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            for id in ["a", "b", "c"] { try bench.hub.write(id, [.title: .string(id)]) }
            try await bench.pull()
            try await bench.edit("b", [.title: "edited"])
            try await bench.edit("c", [.deleted: true])
            try await bench.model.leave()

            let other = ModelBench(bench.storage)
            other.hub.with { $0.epoch = Epoch("another") }
            try other.hub.write("z", [.title: "theirs"])
            try await other.join("https://other")
            #expect(try await other.model.cursor(of: .todo) == nil)
            try await other.pull()
            try await other.push()
            #expect(other.hub.items().map { $0[.title] } == ["a", "edited", "theirs"])
            #expect(try await other.ids() == ["a", "b", "z"])
            #expect(other.hub.items().flatMap(\.conflicts) == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func whatARestoredHubLostIsOfferedAgain(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "old"])
            let backup = bench.hub.with { $0.lists }
            bench.hub.time.setWallClock(1_700_000_000_001)
            try bench.hub.write("a", [.title: "newer"], at: 1_700_000_000_001)
            try bench.hub.write("b", [.title: "lost"])
            try await bench.pull()
            try await bench.edit("b", [.isCompleted: true])
            bench.hub.with { $0.lists = backup }
            try await bench.model.offerAgain(.todo)
            try await bench.checkViews()
            #expect(try await bench.ids() == ["a", "b"])
            #expect(try await bench.shown("b")[.isCompleted] == true)
            try await bench.pull()
            try await bench.push()
            #expect(try bench.hub.item("a")?[.title] == "newer")
            #expect(try bench.hub.item("b")?[.title] == "lost")
            #expect(try bench.hub.item("b")?[.isCompleted] == true)
            #expect(try await bench.shown("a") == bench.hub.item("a"))
        }
    }

    @Test(arguments: StorageKind.allCases) func eachValueIsOfferedUnderItsOwnStamp(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            let note = try FieldName("note")
            try bench.hub.write("a", [.title: "old", .order: "k"], at: 10)
            try bench.hub.write("a", [note: "young"], at: 30)
            try await bench.pull()
            bench.hub.with { $0.lists = [.todo: FakeList()] }
            try bench.hub.write("a", [.title: "since then", note: "earlier"], at: 20)
            try await bench.model.offerAgain(.todo)
            #expect(try await bench.pending().map(\.at.milliseconds) == [10, 30])
            try await bench.push()
            #expect(try bench.hub.item("a")?[.title] == "since then")
            #expect(try bench.hub.item("a")?[note] == "young")
            #expect(Set(try bench.hub.item("a")?.conflicts.map(\.value) ?? []) == ["old", "earlier"])
        }
    }

    @Test(arguments: StorageKind.allCases) func bothValuesOfAnOpenConflictAreOffered(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "old"])
            try bench.hub.write("b", [.title: "old"])
            try await bench.pull()
            for id in ["a", "b"] {
                try bench.hub.write(id, [.title: "theirs"], at: 0)
                try await bench.edit(id, [.title: "mine"])
            }
            try await bench.push()
            #expect(try await bench.shown("a").conflicts.map(\.value) == ["theirs"])
            try await bench.edit("b", [.title: "mine"])
            bench.hub.with { $0.lists = [.todo: FakeList()] }
            try await bench.model.offerAgain(.todo)
            try await bench.checkViews()
            try await bench.push()
            for id in ["a", "b"] { #expect(try bench.hub.item(id)?[.title] == "mine") }
            #expect(try bench.hub.item("a")?.conflicts.map(\.value) == ["theirs"])
            #expect(try bench.hub.item("a")?.conflicts.map(\.origin.at.milliseconds) == [0])
            #expect(try bench.hub.item("b")?.conflicts == [])
        }
    }

    /// Versions of two histories do not compare: whatever stays confirmed under a high one would hide what the hub says.
    @Test(arguments: StorageKind.allCases, [false, true])
    func nothingStaysConfirmedUnderAVersionOfALostHistory(_ kind: StorageKind, _ isRevived: Bool) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "alive"])
            try bench.hub.write("b", [.title: "alive too"])
            let backup = bench.hub.with { $0.lists }
            for _ in 0..<5 { try bench.hub.write("x", [.title: "x"]) }
            try bench.hub.write("a", [.deleted: true])
            try bench.hub.write("b", [.title: "shortly before"])
            try await bench.pull()
            if isRevived { try await bench.edit("a", [.title: "revived"]) }
            try await bench.edit("b", [.deleted: true])
            bench.hub.with { $0.lists = backup }
            try await bench.model.offerAgain(.todo)
            try await bench.pull()
            try await bench.push()
            try await bench.pull()
            #expect(try await bench.pending() == [])
            for id in ["a", "b", "x"] { #expect(try await bench.confirmed(id) == bench.hub.item(id)) }
            #expect(try await bench.ids().contains("a"))
        }
    }

    @Test(arguments: StorageKind.allCases) func aNewEpochOffersEverythingAgain(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "x"])
            // Confirmed by an answer, before any page: there is no cursor yet.
            try await bench.push()
            bench.hub.with { state in
                state.epoch = Epoch("restored")
                state.lists = [.todo: FakeList()]
            }
            try await bench.model.apply(try await bench.hub.hello())
            #expect(try await bench.pending().map(\.item.text) == ["a"])
            #expect(try await bench.model.record().epoch == Epoch("restored"))
            try await bench.push()
            try await bench.pull()
            #expect(try await bench.shown("a") == bench.hub.item("a"))
            try await bench.model.apply(try await bench.hub.hello())
            #expect(try await bench.pending() == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func aLargeListIsOfferedAgainWhole(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.storage.write { store in
                for index in 0..<2_500 {
                    let item = try makeItem("i\(index)", isDeleted: index % 5 == 0, version: Int64(index + 1))
                    try store.put(StoredItem(confirmed: item, shown: item), in: .todo)
                }
            }
            try await bench.model.offerAgain(.todo)
            let pending = try await bench.pending()
            #expect(Set(pending.map(\.item)).count == 2_000)
            #expect(pending.map(\.n) == Array(1...Int64(pending.count)))
            #expect(try await bench.ids().count == 2_000)
        }
    }

    @Test(arguments: StorageKind.allCases) func aCopyOnAnotherMachineGetsAnIDOfItsOwn(_ kind: StorageKind) async throws
    {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "x"])
            let record = try await bench.model.record()
            #expect(try await bench.model.recognize(machine: record.machine, path: record.path) == false)
            #expect(try await bench.model.record() == record)
            #expect(try await bench.model.recognize(machine: "another", path: record.path))
            let copy = try await bench.model.record()
            #expect(copy.replica != record.replica && copy.machine == "another")
            // What was pending when the copy was made may come from both copies: its number says that it is one edit.
            try await bench.edit("b", [.title: "y"])
            #expect(try await bench.pending().map(\.replica) == [record.replica, copy.replica])
            #expect(try await bench.model.recognize(machine: "another", path: "/moved"))
        }
    }

    @Test(arguments: StorageKind.allCases) func aListIsAddedOnce(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let own = try ListName("own")
            try await bench.model.addList(own, kind: ListKind("person"))
            #expect(await modelError { try await bench.model.addList(own, kind: .todo) }?.code == .listExists)
            #expect(try await bench.model.lists().map(\.list.name) == [.todo, own])
        }
    }
}
