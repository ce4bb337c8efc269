import HTTP
import Hub
import Platform
import TandemItems
import Testing
import Wire

@Suite("HubService push", .timeLimit(.minutes(2)))
struct HubServicePushTests {
    @Test(arguments: StorageKind.allCases)
    func mutationsBecomeHistoryInTheirOrder(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let answer = try await hub.push(
                try mutation("a", n: 1), try mutation("b", n: 2), try mutation("a", set: [.title: "x"], n: 3))
            #expect(answer.versions == [1, 2, 3])
            #expect(answer.items.map(\.id.text) == ["a", "b"])
            #expect(answer.items.map(\.version.number) == [3, 2])
            #expect(answer.items.first?[.title] == "x")
            #expect(try await hub.page().items == answer.items.sorted { $0.version < $1.version })
        }
    }

    @Test(arguments: StorageKind.allCases)
    func concurrentValuesOpenAConflictInTheAnswer(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a", set: [.title: "one"], by: "r1", n: 1))
            let answer = try await hub.push(try mutation("a", set: [.title: "two"], by: "r2", n: 1))
            #expect(answer.items.first?[.title] == "two")
            #expect(answer.items.first?.conflicts.map(\.value) == ["one"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func retryIsAnsweredTheSameAndAppliedOnce(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let counter = try FieldName("count")
            var increment = try mutation("a", set: [:], n: 2)
            increment.increments = [counter: 5]
            let refused = try mutation("b", set: [.title: .string(String(repeating: "x", count: 2_000))], n: 3)
            let batch = [try mutation("a", n: 1), increment, refused, try mutation("c", n: 4)]
            let first = try await hub.json(hub.pushRequest(batch))
            let contents = try await hub.contents()
            #expect(try await hub.json(hub.pushRequest(batch)) == first)
            let restarted = try await hub.restarted()
            #expect(try await hub.json(hub.pushRequest(batch), of: restarted) == first)
            #expect(try await hub.contents() == contents)
            #expect(try await hub.page().items.first?[counter] == 5)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func mutationTwiceInOneBatchIsAppliedOnce(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let answer = try await hub.push(try mutation("a"), try mutation("a"))
            #expect(answer.versions == [1, 1])
            #expect(try await hub.page().head == Version(1))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func whoHasWrittenNothingGetsNoName(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            for (mutations, names) in [([], 0), ([try mutation("a", by: "r2")], 0), ([try mutation("b", by: "r1")], 1)]
            {
                var request = hub.pushRequest(mutations)
                request.headers[HubHeader.replica] = "r1"
                request.headers[HubHeader.replicaName] = "laptop"
                _ = try await hub.json(request)
                #expect(try await hub.storage.read { try $0.replicaNames().count } == names)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemThatIsPastALoweredLimitCanBeDeleted(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a", set: [.title: .string(String(repeating: "x", count: 900))], n: 1))
            hub.service.reconfigure(HubConfiguration(limits: Limits(itemBytes: 100)))
            let answer = try await hub.push(
                try mutation("a", set: [try FieldName("more"): 1], n: 2), try mutation("a", set: [.deleted: true], n: 3)
            )
            #expect(answer.codes == ["item-too-large", ""])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func usedNumberWithAnotherNonceIsAFork(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a", n: 1))
            var copy = try mutation("b", n: 1)
            copy.nonce = try Nonce("another")
            let answer = try await hub.push(copy, try mutation("c", n: 2))
            #expect(answer.codes == ["replica-forked", ""])
            #expect(try await hub.page().items.map(\.id.text) == ["a", "c"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func badMutationsAreRefusedEachByItself(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let fields = try (1...9).map { (try FieldName("f\($0)"), JSON.int(1)) }
            var many = try mutation("b", n: 3)
            for (name, value) in fields { many.set[name] = value }
            var counter = try mutation("a", set: [:], base: Version(1), n: 4)
            counter.increments = [.title: 1]
            let large = JSON.string(String(repeating: "x", count: 1_001))
            let bodies: [JSON] = [
                try mutation("a", n: 1).json, try mutation("b", set: [.title: large], n: 2).json, many.json,
                counter.json, "no mutation", ["replica": "r1", "n": 0], try mutation("c", n: 5).json,
            ]
            let body = JSON.object(["mutations": .array(bodies)]).encoded()
            let answer = try PushAnswer(json: try await hub.json(hub.request(.push(.todo), body: body)))
            let codes = ["", "item-too-large", "too-many-fields", "not-a-counter", "malformed", "malformed", ""]
            #expect(answer.codes == codes)
            #expect(answer.versions == [1, 0, 0, 0, 0, 0, 2])
            #expect(try await hub.page().items.map(\.id.text) == ["a", "c"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemAtItsLimitsCanBeMovedAndDeleted(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var full = try mutation("a", set: [:], n: 1)
            for index in 1...8 { full.set[try FieldName("f\(index)")] = .string(String(repeating: "x", count: 121)) }
            let answer = try await hub.push(
                full, try mutation("a", set: [.order: "key"], base: Version(1), n: 2),
                try mutation("a", set: [.deleted: true], base: Version(2), n: 3))
            #expect(answer.versions == [1, 2, 3])
            #expect(answer.items.first?.isDeleted == true)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func timeInTheFutureIsCutToHubTime(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var early = try mutation("a", set: [.title: "from a clock that runs ahead"], by: "r1")
            early.at = Timestamp(milliseconds: .max)
            let answer = try await hub.push(early)
            #expect(answer.items.first?.fields[.title]?.origin.at.milliseconds == hub.time.now)
            #expect(try await hub.push(early).versions == [1])
            hub.time.advance(by: .seconds(1))
            var later = try mutation("a", set: [.title: "from a true clock"], by: "r2")
            later.at = Timestamp(milliseconds: hub.time.now)
            #expect(try await hub.push(later).items.first?[.title] == "from a true clock")
        }
    }

    @Test(arguments: StorageKind.allCases)
    func baseBeyondTheHeadHasSeenNothing(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a", set: [.title: "kept"], by: "r1"))
            let answer = try await hub.push(
                try mutation("a", set: [.title: "of a lost history"], base: Version(90), by: "r2"))
            #expect(answer.items.first?.conflicts.map(\.value) == ["kept"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func largeAnswerEndsWithTheMutationThatFillsIt(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind, answerBytes: 1_500) { hub async throws in
            let text = JSON.string(String(repeating: "x", count: 600))
            var batch = try (1...7).map { try mutation("a\($0)", set: [.title: text], n: $0) }
            var rounds: [[Int64]] = []
            while !batch.isEmpty {
                let answer = try PushAnswer(json: try await hub.json(hub.pushRequest(batch)))
                try #require((1...batch.count).contains(answer.outcomes.count))
                #expect(answer.items.count == answer.outcomes.count)
                rounds.append(answer.versions)
                batch.removeFirst(answer.outcomes.count)
            }
            #expect(rounds == [[1, 2, 3], [4, 5, 6], [7]])
            #expect(try await hub.page(limit: 100).head == Version(7))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemThatManyMutationsChangeCountsOnceForTheAnswersSize(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind, answerBytes: 1_500) { hub async throws in
            let text = JSON.string(String(repeating: "x", count: 600))
            var batch = [try mutation("a", set: [.title: text], n: 1)]
            let done = try FieldName("done")
            for n in 2...10 {
                batch.append(try mutation("a", set: [done: .int(Int64(n))], base: Version(1), n: Int64(n)))
            }
            let answer = try PushAnswer(json: try await hub.json(hub.pushRequest(batch)))
            #expect(answer.outcomes.count == 10)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func answerOfNoBytesStillHasAnOutcome(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind, answerBytes: 0) { hub async throws in
            #expect(try await hub.push(try mutation("a", n: 1), try mutation("b", n: 2)).versions == [1])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func emptyPushIsAnsweredAndChangesNothing(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let before = try await hub.contents()
            let answer = try await hub.push()
            #expect(answer.outcomes == [] && answer.items == [])
            #expect(try await hub.contents() == before)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func unknownMembersStayInHistory(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var made = try mutation("a")
            made.unknown = ["why": "a newer version knows"]
            try await hub.push(made)
            let answer = try await hub.json(hub.request(.history(.todo, try ItemID("a"))))
            let entry = try HistoryEntry(json: try #require(answer.object?["entries"]?.array?.first))
            #expect(entry.mutation == made)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func idsAndTextsAreKeptByteForByte(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let ids = ["\u{E9}", "e\u{301}", "..", "a/b", "🍋"]
            for (index, id) in ids.enumerated() {
                let set: FieldMap<JSON> = [.title: .string("\u{0}" + id)]
                try await hub.push(try mutation(id, set: set, n: Int64(index + 1)))
            }
            let items = try await hub.page().items
            #expect(items.map { Array($0.id.text.utf8) } == ids.map { Array($0.utf8) })
            #expect(items.map { $0[.title] } == ids.map { .string("\u{0}" + $0) })
        }
    }

    @Test(arguments: StorageKind.allCases)
    func nameOfThePushingReplicaIsTold(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var request = hub.pushRequest([try mutation("a")])
            request.headers[HubHeader.replica] = "r1"
            request.headers[HubHeader.replicaName] = PercentEncoding.encode("Zoë's machine")
            _ = try await hub.json(request)
            let hello = try Hello(json: try await hub.json(hub.request(.hello)))
            #expect(hello.writers == [try ReplicaID("r1"): "Zoë's machine"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func manyWritersAtOnceLeaveNoGap(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let (writers, rounds) = (32, 8)
            let versions = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for writer in 1...writers {
                    group.addTask {
                        var versions: [Int64] = []
                        for n in 1...rounds {
                            let made = try mutation("\(writer)-\(n)", by: "r\(writer)", n: Int64(n))
                            versions += try await hub.push(made).versions
                        }
                        return versions
                    }
                }
                group.addTask {
                    // A reader never sees a version before those below it.
                    var cursor: Cursor?
                    while cursor?.sequence.number ?? 0 < Int64(writers * rounds) {
                        let page = try await hub.page(since: cursor, limit: 7)
                        let start = cursor?.sequence.number ?? 0
                        let expected = page.items.indices.map { start + 1 + Int64($0) }
                        #expect(page.items.map(\.version.number) == expected)
                        cursor = page.cursor
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(versions.sorted() == Array(1...Int64(writers * rounds)))
        }
    }
}
