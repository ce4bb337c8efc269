import Platform
import Sync
import TandemItems
import Testing

/// How each state is entered and left.
struct SyncEngineTests {
    @Test func isDetachedUntilItJoins() {
        var engine = SyncEngine.fixture()
        #expect(engine.state == .detached)
        for event in [Event.edited(.todo), .networkChanged, .fired(.retry), .storeFailed("full"), .noAnswer] {
            #expect(engine.play(event) == [])
            #expect(engine.state == .detached)
        }
        #expect(engine.handle(.joined) == [.stop(.retry), .greet])
        #expect(engine.state == .starting)
    }

    @Test func aRequestWithoutHubEndsAtOnce() {
        var engine = SyncEngine.fixture()
        #expect(engine.play(.syncRequested(1)) == [.report([1], HubError(.unreachable, "this store has no hub"))])
    }

    @Test func theHubsAnswerLeadsToPollingAndTheStreamToLive() {
        var engine = SyncEngine.fixture()
        _ = engine.handle(.joined)
        #expect(engine.handle(.hello(.todo())) == [.openStream, .start(.poll, .seconds(30))])
        #expect(engine.state == .polling)
        #expect(engine.handle(.streamOpened) == [.stop(.poll)])
        #expect(engine.state == .live)
        #expect(engine.isCaughtUp)
    }

    @Test func aBrokenStreamLeadsBackToPolling() {
        var engine = SyncEngine.online()
        #expect(engine.play(.streamEnded(.cut)) == [.greet])
        #expect(engine.state == .polling)
        #expect(engine.play(.hello(.todo()), .fired(.reopen), .streamOpened) == [.openStream])
        #expect(engine.state == .live)
    }

    @Test func aHubThatDoesNotAnswerLeadsOfflineAndTheWaitBack() {
        var engine = SyncEngine.fixture()
        _ = engine.handle(.joined)
        #expect(engine.timers(.noAnswer) == [.retry: .milliseconds(250)])
        #expect(engine.state == .offline)
        #expect(engine.lastError == .cut)
        #expect(engine.retryDelay == .milliseconds(250))
        #expect(engine.play(.fired(.retry)) == [.greet])
        #expect(engine.state == .starting)
        #expect(engine.retryDelay == nil)
        _ = engine.play(.hello(.todo()))
        #expect(engine.state == .polling)
        #expect(engine.lastError == nil)
    }

    @Test(arguments: [Event.networkChanged, .syncRequested(1)]) func wakingEndsTheWait(_ event: Event) {
        var engine = SyncEngine.online()
        _ = engine.play(.pushed(.todo, .failure(.cut)))
        _ = engine.play(.edited(.todo), .pushed(.todo, .failure(.cut)))
        #expect(engine.state == .offline)
        #expect(engine.play(event) == [.greet])
        #expect(engine.state == .starting)
    }

    @Test func editsWhileOfflineHastenOnce() {
        var engine = SyncEngine.online()
        _ = engine.play(.streamEnded(.cut), .noAnswer)
        #expect(engine.handle(.edited(.todo)) == [.start(.retry, .milliseconds(100))])
        #expect(engine.retryDelay == .milliseconds(100))
        for _ in 0..<5 { #expect(engine.handle(.edited(.todo)) == []) }
        _ = engine.play(.fired(.retry), .noAnswer)
        #expect(engine.handle(.edited(.todo)) == [.start(.retry, .milliseconds(100))])
    }

    @Test func anEditDoesNotHastenAHubThatSaidWhen() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined, .greeted(.failure(HubError(.busy, "later", retryAfter: .seconds(90)))))
        #expect(engine.state == .offline)
        #expect(engine.retryDelay == .seconds(90))
        #expect(engine.handle(.edited(.todo)) == [])
    }

    @Test func retryAfterIsAFloorNotACeiling() {
        var engine = SyncEngine.fixture(random: .max)
        _ = engine.play(.joined)
        let error = HubError(.busy, "later", retryAfter: .milliseconds(1))
        #expect(engine.timers(.greeted(.failure(error)))[.retry] ?? .zero > .milliseconds(499))
    }

    @Test(arguments: [0, UInt64.max / 2, UInt64.max]) func theWaitGrowsWithinItsBounds(_ random: UInt64) {
        var engine = SyncEngine.fixture(random: random)
        _ = engine.play(.joined)
        var full = Duration.milliseconds(500)
        for _ in 0..<40 {
            let delay = engine.timers(.noAnswer)[.retry] ?? .zero
            #expect(delay >= full / 2 && delay <= full)
            full = min(full * 2, .seconds(60))
            _ = engine.play(.fired(.retry))
        }
    }

    /// A person who types, or asks again and again, while the hub is away must not make it be found later.
    @Test(arguments: [Event.edited(.todo), .networkChanged, .syncRequested(1)])
    func triesOutOfTurnDoNotLengthenTheWait(_ event: Event) {
        var engine = SyncEngine.online()
        _ = engine.play(.pushed(.todo, .failure(.cut)))
        _ = engine.play(.edited(.todo), .pushed(.todo, .failure(.cut)))
        #expect(engine.state == .offline)
        for _ in 0..<10 {
            _ = engine.play(event)
            if event.isEdit { _ = engine.play(.fired(.retry)) }
            #expect(engine.timers(.noAnswer) == [.retry: .milliseconds(250)])
        }
        _ = engine.play(.fired(.retry))
        #expect(engine.timers(.noAnswer) == [.retry: .milliseconds(500)])
    }

    @Test func theWaitBeginsAnewAfterSuccess() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined, .noAnswer, .fired(.retry), .noAnswer, .fired(.retry), .hello(.todo()))
        _ = engine.play(.streamEnded(.cut))
        #expect(engine.timers(.noAnswer) == [.retry: .milliseconds(250)])
    }

    @Test func theWaitGrowsWhileOneRequestFailsAndTheHelloDoesNot() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        for expected in [250, 500, 1_000, 2_000] {
            _ = engine.play(.hello(.todo(hasPending: true, cursor: nil)), .pulled(5, head: 5))
            let broken = Event.pushed(.todo, .failure(HubError(.failed, "no room")))
            #expect(engine.timers(broken)[.retry] == .milliseconds(expected))
            _ = engine.play(.fired(.retry))
        }
        _ = engine.play(.hello(.todo(hasPending: true)), .pushed(hasPending: true))
        #expect(engine.timers(.pushed(.todo, .failure(.cut)))[.retry] == .milliseconds(250))
    }

    @Test func theWaitGrowsWhileTheStoreFails() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        for expected in [250, 500, 1_000] {
            _ = engine.play(.hello(.todo(cursor: 1)))
            #expect(engine.timers(.storeFailed("full"))[.retry] == .milliseconds(expected))
            #expect(engine.state == .stalled)
            _ = engine.play(.fired(.retry))
        }
    }

    @Test func anUnknownTokenIsTriedOnceMoreThenNeedsAPerson() {
        var engine = SyncEngine.online()
        #expect(engine.play(.edited(.todo)) == [.push(.todo, limit: 500)])
        #expect(engine.play(.pushed(.todo, .failure(.unauthorized))) == [.greet])
        let actions = engine.handle(.greeted(.failure(.unauthorized)))
        #expect(engine.state == .authRequired)
        #expect(!actions.contains { if case .start = $0 { true } else { false } })
        #expect(engine.retryDelay == nil)
        #expect(engine.handle(.edited(.todo)) == [])
        #expect(engine.play(.syncRequested(1)) == [.greet])
        #expect(engine.state == .starting)
        #expect(engine.play(.hello(.todo(hasPending: true))) == [.openStream, .push(.todo, limit: 500)])
    }

    @Test func aTokenThatIsGoodForTheHelloAloneIsNotTriedForEver() {
        var engine = SyncEngine.online()
        _ = engine.play(.edited(.todo), .pushed(.todo, .failure(.unauthorized)))
        #expect(engine.play(.hello(.todo(hasPending: true))) == [.push(.todo, limit: 500)])
        #expect(engine.play(.pushed(.todo, .failure(.unauthorized))) == [])
        #expect(engine.state == .authRequired)
    }

    @Test func twoRefusalsOfATokenAtOnceAreOne() {
        var engine = SyncEngine.online()
        _ = engine.play(.edited(.todo), .head(6))
        #expect(
            engine.play(.pushed(.todo, .failure(.unauthorized)), .pulled(.todo, .failure(.unauthorized))) == [.greet])
        #expect(engine.state == .live)
        #expect(engine.play(.hello(.todo(hasPending: true, head: 6))) == [.push(.todo, limit: 500), .pull(.todo)])
    }

    @Test func anOldEndWaitsForAnUpgradeWithoutATimer() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        #expect(engine.timers(.greeted(.failure(HubError(.upgradeRequired, "old")))) == [:])
        #expect(engine.state == .upgradeRequired)
        #expect(engine.play(.edited(.todo), .networkChanged) == [])
        #expect(engine.play(.syncRequested(1)) == [.greet])
    }

    @Test(arguments: [HubError.Code.rejected, .notAHub, .insecure]) func whatKeepsEditsBackStalls(_ code: HubError.Code)
    {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        #expect(engine.timers(.greeted(.failure(HubError(code, "")))) == [.retry: .milliseconds(250)])
        #expect(engine.state == .stalled)
        #expect(engine.play(.networkChanged, .hello(.todo())) == [.greet, .openStream])
        #expect(engine.state == .polling)
    }

    @Test func leavingEndsEverything() {
        var engine = SyncEngine.online()
        _ = engine.play(.edited(.todo), .syncRequested(7))
        let era = engine.era
        let actions = engine.handle(.left)
        #expect(actions.contains(.closeStream) && actions.contains(.abandonRequests))
        #expect(actions.last == .report([7], HubError(.unreachable, "the store has left its hub")))
        #expect(engine.state == .detached)
        let late: [Event] = [
            .pushed(), .pulled(9, head: 9), .hello(.todo(hasPending: true)), .streamOpened, .head(9),
            .streamEnded(.cut), .offeredAgain(.todo), .storeFailed("full"),
        ]
        for event in late { #expect(engine.handle(event) == []) }
        #expect(engine.handle(.joined) == [.stop(.retry), .greet])
        for event in late { #expect(engine.handle(event, of: era) == []) }
        #expect(engine.state == .starting)
    }
}

extension SyncEngine.Event {
    /// Whether it asks for a try after a moment, not at once.
    fileprivate var isEdit: Bool { if case .edited = self { true } else { false } }
}
