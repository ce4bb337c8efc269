import Platform
import Sync
import TandemItems
import TestSupport
import Testing
import Wire

/// A hub that breaks its promises, on purpose or by a fault: nothing that it says makes the engine go round without a
/// pause, lose an edit or trap.
struct HostileHubTests {
    private static let diverged = HubError(.historyDiverged, "")

    @Test func hubThatCallsEveryReplicaIDForkedIsGivenTime() {
        var engine = SyncEngine.online([.todo(hasPending: true)])
        let forked = Event.pushed(.todo, .success(.init(hasPending: true, isForked: true)))
        #expect(engine.play(forked) == [.push(.todo, limit: 500)])
        #expect(engine.play(forked) == [])
        #expect(engine.state == .stalled)
        #expect(engine.lastError?.code == .rejected)
        _ = engine.play(.fired(.retry), .hello(.todo(hasPending: true)))
        #expect(engine.play(forked) == [])
        _ = engine.play(.fired(.retry), .hello(.todo(hasPending: true)))
        #expect(engine.play(.pushed(hasPending: true)) == [.push(.todo, limit: 500)])
        #expect(engine.play(forked) == [.push(.todo, limit: 500)])
    }

    @Test func hubThatDivergesAgainBeforeTheListIsInStepIsGivenTime() {
        var engine = SyncEngine.online([.todo(cursor: 1)])
        #expect(engine.play(.pulled(.todo, .failure(Self.diverged))) == [.offerAgain(.todo)])
        #expect(engine.play(.offeredAgain(.todo)) == [.push(.todo, limit: 500), .pull(.todo)])
        #expect(engine.play(.pulled(3, head: 5)) == [.pull(.todo)])
        #expect(engine.play(.pulled(.todo, .failure(Self.diverged))) == [])
        #expect(engine.state == .offline)
        _ = engine.play(.fired(.retry), .hello(.todo(cursor: 3)))
        #expect(engine.play(.pulled(.todo, .failure(Self.diverged))) == [.offerAgain(.todo)])
    }

    @Test func listThatIsInStepMayBeOfferedAgain() {
        var engine = SyncEngine.online([.todo(cursor: 1)])
        _ = engine.play(.pulled(.todo, .failure(Self.diverged)), .offeredAgain(.todo), .pulled(5, head: 5), .pushed())
        _ = engine.play(.head(9))
        #expect(engine.play(.pulled(.todo, .failure(Self.diverged))) == [.offerAgain(.todo)])
    }

    @Test func offeringAgainAndAgainMakesNoEditsOutOfNothing() async throws {
        try await withModel(.memory) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "one", try FieldName("x"): 1])
            try await bench.push()
            try await bench.pull()
            var offered: [FieldMap<JSON>]?
            for _ in 0..<3 {
                try await bench.model.offerAgain(.todo)
                let pending = try await bench.pending().map(\.set)
                #expect(offered ?? pending == pending)
                offered = pending
                try await bench.pull()
            }
        }
    }

    private static func page(_ versions: [Int64], end: Int64, head: Int64) throws -> ChangesPage {
        let items = try versions.map { version in
            var item = try makeItem("i\(version)")
            item.version = Version(version)
            return item
        }
        let cursor = Cursor(epoch: Epoch("e"), sequence: Version(end), digest: "d")
        return ChangesPage(items: items, cursor: cursor, head: Version(head))
    }

    @Test(
        arguments: [
            ([6, 7], 7, 9), ([6, 9], 9, 9), ([], 9, 9), ([], 5, 5), ([6], 8, 9),
        ] as [([Int64], Int64, Int64)])
    func soundPageIsTaken(versions: [Int64], end: Int64, head: Int64) async throws {
        #expect(try await pull(Self.page(versions, end: end, head: head)) == nil)
    }

    @Test(
        arguments: [
            ([], 7, 9), ([6], 5, 9), ([], 3, 3), ([], 3, 9), ([6], 9, 8), ([5], 9, 9), ([7, 6], 9, 9), ([6, 6], 9, 9),
            ([6, 10], 9, 9), ([8], 7, 9),
        ] as [([Int64], Int64, Int64)])
    func pageThatLeadsNowhereOrAsideIsRefusedAndChangesNothing(
        versions: [Int64], end: Int64, head: Int64
    ) async throws {
        #expect(try await pull(Self.page(versions, end: end, head: head)) == .rejected)
    }

    /// The error of a pull from sequence 5 that is answered with a page. The cursor stays where the page is refused.
    private func pull(_ page: ChangesPage) async throws -> HubError.Code? {
        let bench = try ModelBench.memory(FaultyHub(), seed: 1)
        let start = try Self.page([], end: 5, head: 5)
        try await bench.join()
        _ = try await bench.model.apply(start, since: nil, in: .todo)
        let requests = HubRequests(model: bench.model, connection: AnsweringHub(page: page))
        guard case .pulled(_, let result)? = try await requests.answer(to: .pull(.todo)) else { return .failed }
        guard case .failure(let error) = result else { return nil }
        #expect(try await bench.model.cursor(of: .todo) == start.cursor)
        return error.code
    }

    @Test(arguments: [0, 1, 2, 9]) func editsStayWhereTheHubTakesThemAndShowsNothing(version: Int64) async throws {
        let bench = try ModelBench.memory(FaultyHub(), seed: 1)
        try await bench.join()
        try await bench.edit("a", [.title: "mine"])
        var item = try makeItem(version == 9 ? "other" : "a")
        item.version = Version(version == 9 ? 2 : 1)
        let items = version == 0 ? [] : [item]
        let answer = PushAnswer(outcomes: [.accepted(Version(version))], items: items)
        let requests = HubRequests(model: bench.model, connection: AnsweringHub(answer: answer))
        let event = try await requests.answer(to: .push(.todo, limit: 9))
        guard case .pushed(_, let result)? = event else { return #expect(Bool(false), "no answer") }
        let isSound = version == 1
        let isTaken = (try? result.get()) != nil  // the error is told by its effect
        #expect(isTaken == isSound)
        #expect(try await bench.pending().isEmpty == isSound)
        if !isSound { #expect(try await bench.shown("a")[.title] == "mine") }
    }

    @Test func eventOfManyLinesIsBounded() {
        var parser = EventStreamParser()
        let line = Array(("data: " + String(repeating: "x", count: 1 << 20) + "\n").utf8)
        let taken = (0..<9).map { _ in parser.take(line) != nil }
        #expect(taken.first == true && taken.last == false)
    }

    @Test func whatAHubSaysForPeopleIsCutShort() throws {
        let long = String(repeating: "é", count: 5_000)
        let outcome = try Outcome(json: ["code": .string(long), "message": .string(long)])
        guard case .refused(let refusal) = outcome else { return #expect(Bool(false), "accepted") }
        #expect(refusal.code.utf8.count <= Limits.replicaBytes + 2)
        #expect(refusal.message.utf8.count <= HubText.messageBytes + 2)
    }

    @Test(arguments: ["", "a.b", "a b", String(repeating: "e", count: 65)])
    func epochThatNoCursorCanCarryIsNoHubs(epoch: String) {
        let hello: JSON = ["name": "h", "epoch": .string(epoch), "hub_time": 0, "protocol": ["min": 1, "max": 1]]
        #expect(throws: InvalidItem.self) { try Hello(json: hello) }
    }
}

/// A hub that answers every pull and every push the same.
private struct AnsweringHub: HubConnection {
    var page: ChangesPage?
    var answer: PushAnswer?

    private static let silent = HubError(.failed, "not asked for")

    func hello() async throws(HubError) -> Hello { throw Self.silent }

    func push(_ mutations: [Mutation], to list: ListName, seen: Cursor?) async throws(HubError) -> PushAnswer {
        guard let answer else { throw Self.silent }
        return answer
    }

    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        guard let page else { throw Self.silent }
        return page
    }

    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> { throw Self.silent }
}
