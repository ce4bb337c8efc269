import Platform
import Sync
import TandemItems
import Testing

/// What the hub's answers and pages do to a store.
struct CoreModelExchangeTests {
    @Test(arguments: StorageKind.allCases) func anAcceptedEditLeavesAndIsConfirmed(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "milk"])
            #expect(try await bench.push() == false)
            #expect(try await bench.model.hasPending(in: .todo) == false)
            let item = try await bench.shown("a")
            #expect(item.version == Version(1))
            #expect(item[.title] == "milk")
            #expect(try await bench.confirmed("a") == item)
        }
    }

    @Test(arguments: StorageKind.allCases) func anAnswerNeverMovesTheCursor(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.pull()
            let cursor = try await bench.model.cursor(of: .todo)
            try bench.hub.write("other", [.title: "theirs"])
            try await bench.edit("a", [.title: "mine"])
            try await bench.push()
            #expect(try await bench.model.cursor(of: .todo) == cursor)
            #expect(try await bench.ids() == ["a"])
            try await bench.pull()
            #expect(try await bench.ids() == ["a", "other"])
        }
    }

    @Test(arguments: StorageKind.allCases) func anEditDuringAPushStaysPending(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "first"])
            let sent = try await bench.pending()
            let answer = try await bench.hub.push(sent, to: .todo, seen: nil)
            try await bench.edit("a", [.title: "second"])
            _ = try await bench.model.apply(answer, to: sent, in: .todo)
            #expect(try await bench.pending().map(\.set) == [[.title: "second"]])
            #expect(try await bench.shown("a")[.title] == "second")
            #expect(try await bench.confirmed("a")?[.title] == "first")
            try await bench.push()
            #expect(try bench.hub.item("a")?[.title] == "second")
            #expect(try bench.hub.item("a")?.conflicts == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func anAnswerTwiceIsAnAnswerOnce(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let count = try FieldName("count")
            try await bench.join()
            try await bench.edit("a", [:], increments: [count: 2])
            let sent = try await bench.pending()
            _ = try await bench.hub.push(sent, to: .todo, seen: nil)
            let answer = try await bench.hub.push(sent, to: .todo, seen: nil)
            for _ in 0..<2 { _ = try await bench.model.apply(answer, to: sent, in: .todo) }
            #expect(try await bench.shown("a")[count] == 2)
            #expect(bench.hub.head() == Version(1))
        }
    }

    @Test(arguments: StorageKind.allCases) func aRefusedEditIsQuarantinedAndTheRestFlows(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("good", [.title: "x"])
            try await bench.edit("bad", [.title: .string(String(repeating: "x", count: 90))])
            try await bench.edit("also good", [.title: "y"])
            bench.hub.with { $0.limits.itemBytes = 64 }
            try await bench.push()
            #expect(try await bench.pending() == [])
            #expect(try await bench.ids() == ["also good", "good"])
            let quarantined = try await bench.model.quarantined()
            #expect(quarantined.map(\.mutation.item.text) == ["bad"])
            #expect(quarantined.map(\.refusal.code) == ["item-too-large"])
            #expect(try await bench.model.lists().first?.counts.quarantined == 1)
        }
    }

    @Test(arguments: StorageKind.allCases) func aRefusedEditOfAnItemShowsWhatTheHubHas(_ kind: StorageKind) async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "short"])
            try await bench.push()
            try await bench.edit("a", [.title: .string(String(repeating: "x", count: 90))])
            try await bench.edit("a", [.isCompleted: true])
            bench.hub.with { $0.limits.itemBytes = 64 }
            try await bench.push()
            #expect(try await bench.shown("a")[.title] == "short")
            #expect(try await bench.shown("a")[.isCompleted] == true)
        }
    }

    @Test(arguments: StorageKind.allCases) func anAnswerInPartSettlesAPart(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            for id in ["a", "b", "c"] { try await bench.edit(id, [.title: "x"]) }
            bench.hub.answer(atMost: 2)
            try await bench.push()
            #expect(try await bench.pending().map(\.item.text) == ["c"])
            try await bench.push()
            #expect(try await bench.pending() == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func aPageAndItsCursorCommitTogether(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            for id in ["a", "b", "c"] { try bench.hub.write(id, [.title: "x"]) }
            let first = try await bench.hub.changes(in: .todo, since: nil, limit: 2)
            #expect(try await bench.model.apply(first, since: nil, in: .todo))
            #expect(try await bench.model.cursor(of: .todo) == first.cursor)
            #expect(try await bench.ids() == ["a", "b"])
            #expect(try await bench.model.apply(first, since: nil, in: .todo) == false)
            let rest = try await bench.hub.changes(in: .todo, since: first.cursor, limit: 2)
            #expect(try await bench.model.apply(rest, since: nil, in: .todo) == false)
            #expect(try await bench.ids() == ["a", "b"])
            #expect(try await bench.model.apply(rest, since: first.cursor, in: .todo))
            #expect(try await bench.ids() == ["a", "b", "c"])
        }
    }

    @Test(arguments: StorageKind.allCases) func onlyAGreaterVersionIsTakenOver(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "old"])
            let page = try await bench.hub.changes(in: .todo, since: nil, limit: 9)
            try bench.hub.write("a", [.title: "new"])
            try await bench.edit("a", [.isCompleted: true], base: 0)
            try await bench.push()
            #expect(try await bench.shown("a")[.title] == "new")
            // A page from before the push comes after it.
            #expect(try await bench.model.apply(page, since: nil, in: .todo))
            #expect(try await bench.shown("a")[.title] == "new")
            #expect(try await bench.confirmed("a")?.version == Version(3))
        }
    }

    @Test(arguments: StorageKind.allCases) func absenceFromAPageMeansNothing(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "x"])
            try await bench.push()
            let cursor = Cursor(epoch: bench.hub.epoch, sequence: Version(1), digest: "?")
            let empty = ChangesPage(items: [], cursor: cursor, head: Version(1))
            #expect(try await bench.model.apply(empty, since: nil, in: .todo))
            #expect(try await bench.ids() == ["a"])
        }
    }

    @Test(arguments: StorageKind.allCases) func pendingEditsAreShownOverWhatIsPulled(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "theirs"])
            try await bench.pull()
            try await bench.edit("a", [.title: "mine"])
            try bench.hub.write("a", [.isCompleted: true])
            try await bench.pull()
            let item = try await bench.shown("a")
            #expect(item[.title] == "mine")
            #expect(item[.isCompleted] == true)
            #expect(item.version == Version(2))
        }
    }

    @Test(arguments: StorageKind.allCases) func aForkedStoreGetsANewIDAndKeepsItsEdits(_ kind: StorageKind) async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            let replica = try await bench.model.record().replica
            let n1 = Mutation(
                replica: replica, n: 1, nonce: try Nonce("the other's"), item: try ItemID("x"), base: .none,
                set: [.title: "the other's"], at: Timestamp(milliseconds: 1))
            _ = try await bench.hub.push([n1], to: .todo, seen: nil)
            for id in ["a", "b"] { try await bench.edit(id, [.title: "mine"]) }
            let before = try await bench.pending()
            #expect(try await bench.push())
            // The second went through under the old id; the first is under a new one.
            let after = try await bench.pending()
            #expect(after.map(\.nonce) == [before[0].nonce])
            #expect(after.map(\.n) == [1])
            #expect(try await bench.model.record().replica != replica)
            #expect(after.map(\.replica) == [try await bench.model.record().replica])
            #expect(try await bench.push() == false)
            #expect(bench.hub.items().map(\.id.text) == ["a", "b", "x"])
        }
    }

    @Test(arguments: StorageKind.allCases) func aLateAnswerFindsARenumberedEditByItsNonce(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "mine"])
            let sent = try await bench.pending()
            let accepted = try await bench.hub.push(sent, to: .todo, seen: nil)
            let forked = PushAnswer(outcomes: [.refused(.replicaForked)], items: [])
            #expect(try await bench.model.apply(forked, to: sent, in: .todo))
            try await bench.checkViews()
            let replica = try await bench.model.record().replica
            // The same news again is no news: what was sent under the former id has been renumbered.
            #expect(try await bench.model.apply(forked, to: sent, in: .todo) == false)
            #expect(try await bench.model.record().replica == replica)
            _ = try await bench.model.apply(accepted, to: sent, in: .todo)
            #expect(try await bench.pending() == [])
            #expect(try await bench.shown("a").version == Version(1))
        }
    }

    @Test(arguments: StorageKind.allCases) func aLateRefusalPutsNothingBackIntoQuarantine(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "mine"])
            let sent = try await bench.pending()
            let refused = PushAnswer(outcomes: [.refused(Refusal(code: "no", message: "no"))], items: [])
            _ = try await bench.model.apply(refused, to: sent, in: .todo)
            _ = try await bench.model.discardQuarantined(sent[0].nonce.text)
            _ = try await bench.model.apply(refused, to: sent, in: .todo)
            #expect(try await bench.model.quarantined() == [])
        }
    }
}
