import Platform
import Sync
import TandemItems
import Testing

/// What every way to a hub does alike.
@Suite(.timeLimit(.minutes(2)))
struct HubConnectionTests {
    @Test(arguments: HubConnectionKind.allCases)
    func helloSaysWhatTheHubIs(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            _ = try await hub.editor.push([try hubMutation("a")], to: .todo, seen: nil)
            let hello = try await hub.reader.hello()
            #expect(hello.name == "a hub")
            #expect(hello.epoch == Epoch("epoch-1"))
            #expect(hello.protocols.contains(Hello.protocolVersion))
            #expect(hello.limits == HubHarness.limits)
            #expect(hello.time.milliseconds == hub.time.now)
            #expect(hello.grants == [Grant(list: .todo, kind: .todo, role: .reader, head: Version(1))])
            #expect(try await hub.editor.hello().grants.map(\.role) == [.editor, .editor])
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func pushIsAnsweredWithOutcomesAndItems(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let large = JSON.string(String(repeating: "x", count: 1_001))
            let answer = try await hub.editor.push(
                [
                    try hubMutation("a", n: 1), try hubMutation("b", set: [.title: large], n: 2),
                    try hubMutation("a", set: [.title: "again"], n: 3), try hubMutation("c", n: 4),
                ], to: .todo, seen: nil)
            try #require(answer.outcomes.count == 4)
            #expect(answer.outcomes[0] == .accepted(Version(1)))
            guard case .refused(let refusal) = answer.outcomes[1] else { throw HubError(.rejected, "accepted") }
            #expect(refusal.code == "item-too-large")
            #expect(answer.outcomes[2...] == [.accepted(Version(2)), .accepted(Version(3))])
            #expect(answer.items.map(\.id.text) == ["a", "c"])
            #expect(answer.items.map(\.version.number) == [2, 3])
            #expect(try await hub.editor.changes(in: .todo, since: nil, limit: 9).items == answer.items)
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func repeatedPushIsAnsweredTheSameAndAppliedOnce(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            var counted = try hubMutation("a", set: [:])
            counted.increments = [try FieldName("count"): 3]
            let first = try await hub.editor.push([counted, try hubMutation("b", n: 2)], to: .todo, seen: nil)
            let again = try await hub.editor.push([counted, try hubMutation("b", n: 2)], to: .todo, seen: nil)
            #expect(again == first)
            #expect(try await hub.editor.hello().grants.last?.head == Version(2))
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func usedNumberWithAnotherNonceIsAFork(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            _ = try await hub.editor.push([try hubMutation("a")], to: .todo, seen: nil)
            var copy = try hubMutation("b")
            copy.nonce = try Nonce("another")
            let answer = try await hub.editor.push([copy], to: .todo, seen: nil)
            #expect(answer.outcomes == [.refused(.replicaForked)] || answer.items.isEmpty)
            guard case .refused(.replicaForked) = answer.outcomes.first else {
                Issue.record("no fork: \(answer)")
                return
            }
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func concurrentValuesAreAConflict(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            _ = try await hub.editor.push([try hubMutation("a", set: [.title: "one"], by: "r1")], to: .todo, seen: nil)
            let answer = try await hub.editor.push(
                [try hubMutation("a", set: [.title: "two"], by: "r2")], to: .todo, seen: nil)
            #expect(answer.items.first?[.title] == "two")
            #expect(answer.items.first?.conflicts.map(\.value) == ["one"])
            #expect(try await hub.reader.changes(in: .todo, since: nil, limit: 9).items == answer.items)
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func pagesGiveEachItemOnceAndEndAtTheHead(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let made = try (1...5).map { try hubMutation("a\($0)", n: $0) }
            _ = try await hub.editor.push(made, to: .todo, seen: nil)
            var cursor: Cursor?
            var versions: [Int64] = []
            repeat {
                let page = try await hub.reader.changes(in: .todo, since: cursor, limit: 2)
                versions += page.items.map(\.version.number)
                cursor = page.cursor
            } while cursor?.sequence != Version(5)
            #expect(versions == [1, 2, 3, 4, 5])
            let end = try await hub.reader.changes(in: .todo, since: cursor, limit: 2)
            #expect(end.items.isEmpty && end.cursor == cursor && end.head == Version(5))
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func deletedItemsComePastACursorOnly(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let made = try (1...3).map { try hubMutation("a\($0)", n: $0) }
            _ = try await hub.editor.push(made, to: .todo, seen: nil)
            let first = try await hub.reader.changes(in: .todo, since: nil, limit: 1)
            let delete = { (id: String, base: Int64) in
                try hubMutation(id, set: [.deleted: true], base: base, n: base + 3)
            }
            _ = try await hub.editor.push([try delete("a1", 1), try delete("a2", 2)], to: .todo, seen: nil)
            let second = try await hub.reader.changes(in: .todo, since: first.cursor, limit: 9)
            #expect(second.items.map(\.id.text) == ["a3", "a1", "a2"])
            #expect(try await hub.reader.changes(in: .todo, since: nil, limit: 9).items.map(\.id.text) == ["a3"])
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func cursorOfAnotherHistoryIsFoundOut(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            _ = try await hub.editor.push([try hubMutation("a")], to: .todo, seen: nil)
            let cursor = try await hub.reader.changes(in: .todo, since: nil, limit: 1).cursor
            for other in [
                Cursor(epoch: Epoch("epoch-2"), sequence: cursor.sequence, digest: cursor.digest),
                Cursor(epoch: cursor.epoch, sequence: Version(2), digest: cursor.digest),
                Cursor(epoch: cursor.epoch, sequence: cursor.sequence, digest: "0"),
            ] {
                await expectHubError(.historyDiverged) { () async throws(HubError) in
                    try await hub.reader.changes(in: .todo, since: other, limit: 1)
                }
            }
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func rightsAreKept(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let (made, other) = ([try hubMutation("a")], try ListName("other"))
            await expectHubError(.forbidden) { () async throws(HubError) in
                try await hub.reader.push(made, to: .todo, seen: nil)
            }
            await expectHubError(.noSuchList) { () async throws(HubError) in
                try await hub.reader.push(made, to: other, seen: nil)
            }
            await expectHubError(.noSuchList) { () async throws(HubError) in
                try await hub.reader.changes(in: other, since: nil, limit: 1)
            }
            for call in ["hello", "push", "changes", "events"] {
                await expectHubError(.unauthorized) { () async throws(HubError) in
                    switch call {
                    case "hello": _ = try await hub.stranger.hello()
                    case "push": _ = try await hub.stranger.push(made, to: .todo, seen: nil)
                    case "changes": _ = try await hub.stranger.changes(in: .todo, since: nil, limit: 1)
                    default: _ = try await hub.stranger.events()
                    }
                }
            }
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func tooLargePushIsRefusedWhole(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let made = try (1...11).map { try hubMutation("a\($0)", n: $0) }
            await expectHubError(.tooLarge) { () async throws(HubError) in
                try await hub.editor.push(made, to: .todo, seen: nil)
            }
            #expect(try await hub.editor.changes(in: .todo, since: nil, limit: 9).items.isEmpty)
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func idsAndTextsAreKeptByteForByte(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let ids = ["\u{E9}", "e\u{301}", "..", "a/b?c#d", "🍋", "\u{2028}"]
            let made = try ids.enumerated().map { index, id in
                try hubMutation(id, set: [.title: .string("\u{0}\r\n" + id)], n: Int64(index + 1))
            }
            _ = try await hub.editor.push(made, to: .todo, seen: nil)
            let items = try await hub.reader.changes(in: .todo, since: nil, limit: 9).items
            #expect(items.map { Array($0.id.text.utf8) } == ids.map { Array($0.utf8) })
            #expect(items.map { $0[.title] } == made.map { $0.set[.title] })
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func eventsBeginWithTheHeadsAndFollowThem(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            var events = try await hub.editor.events().makeAsyncIterator()
            #expect(try await events.next() == .head(try ListName("other"), .none))
            #expect(try await events.next() == .head(.todo, .none))
            for n in 1...3 {
                _ = try await hub.editor.push([try hubMutation("a", n: Int64(n))], to: .todo, seen: nil)
                #expect(try await events.next() == .head(.todo, Version(Int64(n))))
            }
            _ = try await hub.editor.push([try hubMutation("a", n: 3)], to: .todo, seen: nil)
            await hub.beat()
            #expect(try await events.next() == .heartbeat)
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func eventsEndWithTheTokensRights(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            var events = try await hub.reader.events().makeAsyncIterator()
            #expect(try await events.next() == .head(.todo, .none))
            try await hub.revokeReader()
            await hub.beat()
            #expect(try await events.next() == nil)
            await expectHubError(.unauthorized) { () async throws(HubError) in try await hub.reader.events() }
        }
    }

    @Test(arguments: HubConnectionKind.allCases)
    func manyAtOnceLeaveNoGap(kind: HubConnectionKind) async throws {
        try await HubHarness.with(kind) { hub async throws in
            let connection = hub.editor
            let versions = try await withThrowingTaskGroup(of: [Outcome].self) { group in
                for writer in 1...16 {
                    group.addTask {
                        var outcomes: [Outcome] = []
                        for n in 1...4 {
                            let made = try hubMutation("\(writer)-\(n)", by: "r\(writer)", n: Int64(n))
                            outcomes += try await connection.push([made], to: .todo, seen: nil).outcomes
                        }
                        return outcomes
                    }
                }
                return try await group.reduce(into: Set()) { $0.formUnion($1) }
            }
            #expect(versions == Set((1...64).map { .accepted(Version($0)) }))
        }
    }
}
