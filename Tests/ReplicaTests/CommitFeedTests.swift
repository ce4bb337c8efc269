import Replica
import Sync
import TandemItems
import Testing

/// What subscribers get, fast and slow.
@Suite(.timeLimit(.minutes(5))) struct CommitFeedTests {
    private func makeBench() throws -> ModelBench { try ModelBench.memory(FaultyHub(), seed: 3) }

    private func page(_ count: Int, from start: Int = 0) throws -> ChangesPage {
        let items = try (start..<start + count).map { try makeItem("i\($0)", version: Int64($0 + 1)) }
        let cursor = Cursor(epoch: Epoch("e"), sequence: Version(Int64(start + count)), digest: "d")
        return ChangesPage(items: items, cursor: cursor, head: cursor.sequence)
    }

    @Test func whatPilesUpComesInOnePiece() async throws {
        let bench = try makeBench()
        let news = bench.model.commits.subscribe()
        for id in ["a", "b", "c"] { try await bench.edit(id, [.title: "x"]) }
        #expect(await news.next()?.commits.flatMap(\.changes).map(\.item.id.text) == ["a", "b", "c"])
        try await bench.edit("d", [.title: "x"])
        #expect(await news.next()?.commits.count == 1)
    }

    @Test func aSubscriberHearsOfWhatComesAfterItSubscribed() async throws {
        let bench = try makeBench()
        try await bench.edit("a", [.title: "x"])
        let news = bench.model.commits.subscribe()
        try await bench.edit("b", [.title: "x"])
        #expect(await news.next()?.commits.flatMap(\.changes).map(\.item.id.text) == ["b"])
    }

    @Test func oneThatFallsBehindIsToldAndGoesOn() async throws {
        let bench = try makeBench()
        let (slow, fast) = (bench.model.commits.subscribe(), bench.model.commits.subscribe())
        let first = try page(CommitSubscription.bound)
        #expect(try await bench.model.apply(first, since: nil, in: .todo))
        #expect(await fast.next()?.fellBehind == false)
        try await bench.edit("one more", [.title: "x"])
        try await bench.edit("and more", [.title: "x"])
        let late = await slow.next()
        #expect(late?.fellBehind == true)
        #expect(late?.commits == [])
        #expect(await fast.next()?.commits.count == 2)
        try await bench.edit("after", [.title: "x"])
        #expect(await slow.next()?.commits.flatMap(\.changes).map(\.item.id.text) == ["after"])
    }

    @Test func anEndedSubscriptionGivesWhatItHasAndEnds() async throws {
        let bench = try makeBench()
        let news = bench.model.commits.subscribe()
        try await bench.edit("a", [.title: "x"])
        bench.model.commits.end(news)
        try await bench.edit("b", [.title: "x"])
        #expect(await news.next()?.commits.flatMap(\.changes).map(\.item.id.text) == ["a"])
        #expect(await news.next() == nil)
        #expect(await news.next() == nil)
    }

    @Test func endingWakesTheReader() async throws {
        let bench = try makeBench()
        let news = bench.model.commits.subscribe()
        async let end = news.next()
        bench.model.commits.end(news)
        #expect(await end == nil)
    }

    @Test func cancellingTheReaderEndsItsWait() async throws {
        let bench = try makeBench()
        let news = bench.model.commits.subscribe()
        let reader = Task { await news.next() }
        reader.cancel()
        #expect(await reader.value == nil)
        try await bench.edit("a", [.title: "x"])
        #expect(await news.next()?.commits.count == 1)
    }
}
