import Platform
import Sync
import TandemItems
import Testing

/// What the engine does with the lists: one push and one pull of each at most, and nothing told is lost.
struct SyncEngineListTests {
    @Test func aListHasOnePushAndOnePullAtMost() {
        var engine = SyncEngine.online([.todo(hasPending: true, cursor: 1)])
        #expect(engine.play(.edited(.todo), .head(9), .edited(.todo), .head(10)) == [])
        #expect(engine.play(.pushed(hasPending: true)) == [.push(.todo, limit: 500)])
        #expect(engine.play(.pulled(5, head: 8)) == [.pull(.todo)])
        #expect(engine.play(.pulled(10, head: 10), .pushed(hasPending: false)) == [])
        #expect(engine.isCaughtUp)
    }

    @Test func anEditDuringAPushIsPushedThoughTheStoreWasAskedBefore() {
        var engine = SyncEngine.online([.todo(hasPending: true)])
        _ = engine.play(.edited(.todo))
        #expect(engine.play(.pushed(hasPending: false)) == [.push(.todo, limit: 500)])
        #expect(engine.play(.pushed(hasPending: false)) == [])
    }

    @Test func anEditDuringTheFirstHelloIsPushed() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined, .edited(.todo))
        #expect(engine.play(.hello(.todo(hasPending: false))) == [.openStream, .push(.todo, limit: 500)])
    }

    @Test func aListThatTheHubDoesNotHaveIsNeitherPushedNorPulled() throws {
        let own = try ListName("own")
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined, .edited(own), .hello(.todo()), .streamOpened)
        #expect(engine.play(.edited(own)) == [])
        // A head that is told of it asks the hub again who may do what; its hello decides.
        #expect(engine.play(.head(3, list: own), .hello(.todo())) == [.greet])
        #expect(engine.play(.syncRequested(1), .hello(.todo())) == [.greet, .report([1], nil)])
    }

    @Test func anEmptyListIsPulledOnce() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        #expect(engine.play(.hello(.todo(cursor: nil, head: 0))) == [.openStream, .pull(.todo)])
        #expect(!engine.isCaughtUp)
        #expect(engine.play(.pulled(0, head: 0)) == [])
        #expect(engine.isCaughtUp)
    }

    @Test func aHeadThatWasToldDuringTheHelloIsPulled() {
        var engine = SyncEngine.online()
        _ = engine.play(.fired(.poll), .head(6), .pulled(6, head: 6), .head(7))
        #expect(engine.play(.hello(.todo(cursor: 6, head: 5))) == [])
        #expect(engine.play(.pulled(7, head: 7)) == [])
        #expect(engine.isCaughtUp)
    }

    @Test func aHeadThatWasToldDuringAPullIsPulled() {
        var engine = SyncEngine.online([.todo(cursor: 1)])
        #expect(engine.play(.head(9), .pulled(5, head: 5)) == [.pull(.todo)])
        #expect(engine.lag(of: .todo) == 4)
        #expect(engine.play(.pulled(9, head: 9)) == [])
        #expect(engine.lag(of: .todo) == 0)
    }

    @Test func aHeadThatCameBeforeASecondHelloAndDuringAPullIsPulled() {
        var engine = SyncEngine.online([.todo(cursor: 1)])
        _ = engine.play(.head(9), .fired(.poll), .hello(.todo(cursor: 1, head: 9)))
        #expect(engine.play(.pulled(5, head: 5)) == [.pull(.todo)])
    }

    @Test func aCursorPastTheHubsHeadIsPulledToFindOut() {
        var engine = SyncEngine.fixture()
        _ = engine.play(.joined)
        #expect(engine.play(.hello(.todo(cursor: 9, head: 4))) == [.openStream, .pull(.todo)])
        let diverged = HubError(.historyDiverged, "")
        #expect(engine.play(.pulled(.todo, .failure(diverged))) == [.offerAgain(.todo)])
        #expect(engine.play(.offeredAgain(.todo)) == [.push(.todo, limit: 500), .pull(.todo)])
        #expect(engine.lag(of: .todo) == 4)
        #expect(engine.play(.pushed(), .pulled(4, head: 4), .head(12), .pulled(12, head: 12)) == [.pull(.todo)])
        #expect(engine.isCaughtUp)
    }

    @Test func aHubThatDivergesFromTheBeginningIsGivenTime() {
        var engine = SyncEngine.online([.todo(cursor: nil)])
        #expect(engine.play(.pulled(.todo, .failure(HubError(.historyDiverged, "")))) == [])
        #expect(engine.state == .offline)
    }

    @Test func aListOfAReaderIsPulledOnly() {
        var engine = SyncEngine.online([.todo(canPush: false, hasPending: true, cursor: 1)])
        #expect(engine.play(.edited(.todo), .pulled(5, head: 5)) == [])
        let actions = engine.play(.syncRequested(3), .hello(.todo(canPush: false, hasPending: true)))
        let error = HubError(.forbidden, "this machine's token may not push the edits of the list 'todo'")
        #expect(actions == [.greet, .report([3], error)])
    }

    @Test func aForbiddenListLetsTheOthersFlow() throws {
        let other = try ListName("other")
        let standings: [SyncEngine.Standing] = [.todo(hasPending: true), .todo(hasPending: true, list: other)]
        var engine = SyncEngine.online(standings)
        #expect(engine.timers(.pushed(.todo, .failure(.forbidden))) == [.poll: .seconds(30)])
        #expect(engine.state == .live)
        #expect(engine.lastError == .forbidden)
        #expect(engine.play(.edited(.todo), .head(8)) == [])
        #expect(engine.play(.pushed(hasPending: true, list: other)) == [.push(other, limit: 500)])
        #expect(engine.play(.fired(.poll)) == [.greet])
        #expect(engine.play(.greeted(.success(standings))) == [.push(.todo, limit: 500)])
    }

    @Test func aListThatWasRefusedBeforeTheStreamOpenedIsAskedForAgain() {
        var engine = SyncEngine.online([.todo(hasPending: true)], isLive: false)
        _ = engine.play(.pushed(.todo, .failure(.forbidden)))
        #expect(!engine.handle(.streamOpened).contains(.stop(.poll)))
    }

    @Test func aRefusedListEndsARequestWithTheHubsReason() {
        var engine = SyncEngine.online()
        _ = engine.play(.syncRequested(1), .hello(.todo(cursor: 1)))
        let error = HubError(.noSuchList, "gone")
        #expect(engine.play(.pulled(.todo, .failure(error))) == [.report([1], error)])
    }

    @Test func aListThatIsGrantedNoMoreIsForgotten() {
        var engine = SyncEngine.online([.todo(hasPending: true)])
        _ = engine.play(.fired(.poll), .hello())
        #expect(engine.play(.pushed(hasPending: true), .edited(.todo)) == [])
        #expect(engine.play(.head(9), .hello()) == [.greet])
        #expect(engine.isCaughtUp)
    }

    @Test func whatIsTooLargeIsHalvedDownToOneWhichIsQuarantined() {
        var engine = SyncEngine.online([.todo(hasPending: true)])
        var limits: [Int] = []
        for _ in 0..<8 {
            for case .push(_, let limit) in engine.play(.pushed(.todo, .failure(.tooLarge))) { limits.append(limit) }
        }
        #expect(limits == [250, 125, 62, 31, 15, 7, 3, 1])
        #expect(engine.play(.pushed(.todo, .failure(.tooLarge))) == [.quarantineFirst(.todo, "too large")])
        #expect(engine.play(.edited(.todo)) == [])
        #expect(engine.play(.pushed(hasPending: true)) == [.push(.todo, limit: 2)])
        #expect(engine.play(.pushed(hasPending: true)) == [.push(.todo, limit: 4)])
    }

    @Test func anAnswerFromBeforeTheBreakIsDropped() {
        var tuning = SyncTuning()
        tuning.pushLimit = 2
        var engine = SyncEngine.online([.todo(hasPending: true, cursor: 1)], tuning)
        let era = engine.era
        _ = engine.play(.pulled(.todo, .failure(.cut)), .fired(.retry), .hello(.todo(hasPending: true)))
        // Two refusals of the same two mutations must not look like a refusal of one.
        #expect(engine.handle(.pushed(.todo, .failure(.tooLarge)), of: era) == [])
        #expect(engine.play(.pushed(.todo, .failure(.tooLarge))) == [.push(.todo, limit: 1)])
    }

    @Test func aRequestEndsOnceAllIsDone() {
        var engine = SyncEngine.online()
        _ = engine.play(.syncRequested(1), .syncRequested(2))
        #expect(engine.play(.hello(.todo(hasPending: true, head: 6))) == [.greet])
        #expect(engine.play(.hello(.todo(hasPending: true, head: 6))) == [.push(.todo, limit: 500), .pull(.todo)])
        #expect(engine.play(.pulled(6, head: 6)) == [])
        #expect(engine.play(.head(7), .pushed()) == [.pull(.todo)])
        #expect(engine.play(.pulled(7, head: 7)) == [.report([1, 2], nil)])
    }

    @Test func aRequestDuringAHelloAsksAgain() {
        var engine = SyncEngine.online()
        #expect(engine.play(.fired(.poll), .syncRequested(1)) == [.greet])
        #expect(engine.play(.hello(.todo())) == [.greet])
        #expect(engine.play(.hello(.todo())) == [.report([1], nil)])
    }

    @Test func aRequestEndsWithTheErrorThatCutsItOff() {
        var engine = SyncEngine.online()
        _ = engine.play(.syncRequested(1))
        #expect(engine.play(.noAnswer) == [.report([1], .cut)])
        #expect(engine.play(.syncRequested(2), .hello(.todo(cursor: 1))) == [.greet, .openStream, .pull(.todo)])
        #expect(engine.play(.storeFailed("full")) == [.report([2], HubError(.failed, "full"))])
    }

    @Test func whatIsOfferedAgainDuringAPushIsPushedThoughTheStoreWasAskedBefore() {
        var engine = SyncEngine.online([.todo(hasPending: true, cursor: 1)])
        _ = engine.play(.pulled(.todo, .failure(HubError(.historyDiverged, ""))), .offeredAgain(.todo))
        #expect(engine.play(.pushed(hasPending: false)) == [.push(.todo, limit: 500)])
        #expect(engine.play(.fired(.poll), .hello(.todo(hasPending: true))) == [.greet])
        #expect(engine.play(.pushed(hasPending: false)) == [.push(.todo, limit: 500)])
    }
}
