import HTTP
import Platform
import TandemClient
import Testing
import Wire

/// The daemon goes and comes back, and streams that are not as they should be.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ChangeSubscriptionLossTests {
    private let fixture = SubscriptionFixture()
    private var daemon: EventDaemon { fixture.daemon }

    private func awaitRetry() async {
        await fixture.time.sleepers(atLeast: 1)
        fixture.time.advanceToNextSleeper()
    }

    @Test func brokenStreamIsResumedBehindTheLastStamp() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"))
        await collector.wait { $0.last?.stamp == 1 }
        daemon.breakStreams()
        await collector.wait { $0.last?.isConnected == false }
        #expect(collector.batches.last?.problem?.code == DaemonError.interrupted)
        daemon.commit(.inserted, try makeItem("b"))
        await awaitRetry()
        await collector.wait { $0.last?.stamp == 2 }
        daemon.commit(.inserted, try makeItem("c"))
        await collector.wait { $0.last?.stamp == 3 }
        #expect(collector.reports.map(\.stamp) == [1, 2, 3])
        #expect(collector.batches.map(\.needsReload).filter(\.self).count == 1)
        #expect(collector.batches.last == ChangeBatch(reports: Array(collector.reports.suffix(1)), stamp: 3))
        #expect(daemon.resumed.value == [nil, 1])
    }

    @Test func resumingIsBehindChangesOfOtherListsToo() async throws {
        let collector = BatchCollector(fixture, .todo)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"), in: try ListName("other"))
        for stream in daemon.streams.value { stream.waitUntilRead() }
        daemon.breakStreams()
        await awaitRetry()
        await daemon.resumed.wait { $0.count == 2 }
        #expect(daemon.resumed.value == [nil, 1])
        #expect(collector.reports.isEmpty)
    }

    @Test func subscriptionResumesFromTheStampOfAnEarlierOne() async throws {
        for index in 0..<3 { daemon.commit(.inserted, try makeItem("item-\(index)")) }
        let collector = BatchCollector(fixture, since: 1)
        await collector.wait { $0.last?.stamp == 3 }
        #expect(collector.reports.map(\.stamp) == [2, 3])
        #expect(collector.batches.allSatisfy { !$0.needsReload })
    }

    @Test func unreachableDaemonIsSaidOnceAndSoughtAtGrowingBoundedIntervals() async throws {
        fixture.transport.fault.update { $0 = .unreachable }
        let collector = BatchCollector(fixture)
        await collector.wait { $0.last?.isConnected == false }
        var pauses: [Duration] = []
        for _ in 0..<14 {
            await fixture.time.sleepers(atLeast: 1)
            let before = fixture.time.monotonic
            fixture.time.advanceToNextSleeper()
            pauses.append(fixture.time.monotonic - before)
        }
        await fixture.time.sleepers(atLeast: 1)
        for (failures, pause) in pauses.enumerated() {
            let whole = min(Duration.milliseconds(100) * (1 << failures), .seconds(10))
            #expect((whole / 2...whole).contains(pause))
        }
        #expect(collector.batches.map(\.problem?.code) == [DaemonError.unreachable])
        fixture.transport.fault.update { $0 = nil }
        fixture.time.advanceToNextSleeper()
        await collector.waitUntilConnected()
        #expect(collector.batches.last == ChangeBatch(needsReload: true, hasStatus: true, stamp: 0))
        daemon.breakStreams()
        await fixture.time.sleepers(atLeast: 1)
        let before = fixture.time.monotonic
        fixture.time.advanceToNextSleeper()
        #expect(fixture.time.monotonic - before <= .milliseconds(100))
    }

    @Test func otherStoreBehindTheSocketIsReadAnew() async throws {
        let collector = BatchCollector(fixture, since: 9)
        daemon.isOtherStore.update { $0 = true }
        await collector.waitUntilConnected()
        #expect(collector.batches.last?.needsReload == true)
    }

    @Test func reloadOfTheDaemonReplacesTheChangesBeforeIt() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"))
        daemon.tell(LocalEvent.reload(stamp: 7).event)
        for stream in daemon.streams.value { stream.waitUntilRead() }
        await collector.wait { $0.count == 2 }
        #expect(collector.batches.last == ChangeBatch(needsReload: true, stamp: 7))
    }

    @Test func changeThatCannotBeReadBecomesAReload() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.tell(ServerSentEvent(name: "changes", data: #"{"of":"a later version"}"#, id: "4"))
        daemon.tell(ServerSentEvent(name: "unheard-of", data: "{}"))
        await collector.wait { $0.count == 2 }
        #expect(collector.batches.last == ChangeBatch(needsReload: true, stamp: 4))
        #expect(daemon.streams.value.count == 1)
    }

    @Test(arguments: [
        Response(.notFound, body: .bytes(Array("<html>".utf8))),
        Response(.ok, body: .bytes(Array("event: hello\ndata: no\n\n".utf8))),
    ])
    func answerOfAnotherProgramIsAProblem(answer: Response) async {
        let stranger = ScriptedDaemon { _ in answer }
        let received = Watched<[ChangeBatch]>([])
        let subscription = ChangeSubscription(
            stranger.connection, time: fixture.time, random: fixture.random
        ) { batch in received.update { $0.append(batch) } }
        await received.wait { !$0.isEmpty }
        subscription.end()
        #expect(received.value.first?.isConnected == false)
        #expect(received.value.first?.problem?.code == DaemonError.unexpectedAnswer)
    }
}
