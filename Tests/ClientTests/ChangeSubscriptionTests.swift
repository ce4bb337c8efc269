import Dispatch
import TandemClient
import Testing
import Wire

/// What subscribers hear, where and in which order.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ChangeSubscriptionTests {
    private let fixture = SubscriptionFixture()
    private var daemon: EventDaemon { fixture.daemon }

    /// Lets the reader take everything while the main queue is held, so that it comes in one turn.
    private func holdMainQueueUntilRead() {
        for stream in daemon.streams.value { stream.waitUntilRead() }
    }

    @Test func firstBatchTellsToReadWhatIsShown() async {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        #expect(collector.batches == [ChangeBatch(needsReload: true, hasStatus: true, stamp: 0)])
    }

    @Test func changesComeOnTheMainQueueInCommitOrder() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        for index in 0..<500 {
            daemon.commit(.inserted, try makeItem("item-\(index)"))
            if index % 7 == 0 { await Task.yield() }
        }
        await collector.wait { $0.last?.stamp == 500 }
        #expect(collector.reports.map(\.stamp) == Array(1...500))
        #expect(collector.reports.flatMap { $0.changes.map(\.item.id.text) } == (0..<500).map { "item-\($0)" })
        #expect(collector.batches.dropFirst().allSatisfy { !$0.needsReload && !$0.hasStatus && !$0.reports.isEmpty })
    }

    @Test func changesOfOneTurnComeInOneBatch() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        for index in 0..<100 { daemon.commit(.inserted, try makeItem("item-\(index)")) }
        daemon.tell(LocalEvent.status.event)
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.batches[1].reports.count == 100)
        #expect(collector.batches[1].hasStatus)
    }

    @Test func closureIsCalledInTheTurnInWhichItsBatchIsTaken() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"))
        holdMainQueueUntilRead()
        // The delivery is on its way to the main queue now; what comes before its turn belongs to it.
        daemon.commit(.inserted, try makeItem("b"))
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.batches[1].reports.map(\.stamp) == [1, 2])
    }

    @Test func slowSubscriberHoldsNobodyBackAndIsToldToReload() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        for index in 0..<5_000 { daemon.commit(.inserted, try makeItem("item-\(index)")) }
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.batches[1] == ChangeBatch(needsReload: true, stamp: 5_000))
        daemon.commit(.updated, try makeItem("item-1"))
        await collector.wait { $0.count == 3 }
        #expect(collector.batches[2].reports.map(\.stamp) == [5_001])
        #expect(!collector.batches[2].needsReload)
    }

    @Test func largeChangesAreBoundedByTheirBytes() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        for index in 0..<9 {
            daemon.commit(.inserted, try makeItem("item-\(index)", title: String(repeating: "x", count: 500_000)))
        }
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.batches[1].needsReload)
        #expect(collector.reports.isEmpty)
    }

    @Test func changesOfOtherListsAreLeftOut() async throws {
        let other = try ListName("other")
        let collector = BatchCollector(fixture, .todo)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"), in: other)
        daemon.commit(.inserted, try makeItem("a"))
        daemon.commit(.inserted, try makeItem("b"), in: other)
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.reports.map(\.stamp) == [2])
        #expect(collector.batches[1].stamp == 3)
    }

    @Test func equalIDsInTwoListsAreTwoItems() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"), in: try ListName("other"))
        daemon.commit(.inserted, try makeItem("a"))
        holdMainQueueUntilRead()
        await collector.wait { $0.count == 2 }
        #expect(collector.reports.map(\.stamp) == [1, 2])
    }

    @Test func twoSubscribersHearTheSame() async throws {
        let one = BatchCollector(fixture)
        let other = BatchCollector(fixture)
        await one.waitUntilConnected()
        await other.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"))
        await one.wait { $0.last?.stamp == 1 }
        await other.wait { $0.last?.stamp == 1 }
        #expect(one.reports == other.reports)
    }

    @Test func streamGivesTheSameBatches() async throws {
        var batches = fixture.batches().makeAsyncIterator()
        #expect(await batches.next() == ChangeBatch(needsReload: true, hasStatus: true, stamp: 0))
        daemon.commit(.inserted, try makeItem("a"))
        daemon.commit(.updated, try makeItem("b"))
        holdMainQueueUntilRead()
        #expect(await batches.next()?.reports.map(\.stamp) == [1, 2])
    }
}
