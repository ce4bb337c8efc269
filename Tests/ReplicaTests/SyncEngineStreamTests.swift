import Platform
import Sync
import TandemItems
import Testing

/// What the engine does about event streams that do not hold.
struct SyncEngineStreamTests {
    /// Ends a stream and gives the wait before the next, if one is to be opened at all.
    private func end(_ engine: inout SyncEngine) -> Duration? {
        let delay = engine.timers(.streamEnded(.cut))[.reopen]
        _ = engine.play(.hello(.todo()))
        return delay
    }

    private func reopen(_ engine: inout SyncEngine) {
        #expect(engine.play(.fired(.reopen)) == [.openStream])
        _ = engine.play(.streamOpened)
    }

    @Test func theFirstBreakIsMetAtOnceAndFurtherOnesAtGrowingIntervals() {
        var engine = SyncEngine.online()
        var delays: [Duration?] = []
        for _ in 0..<6 {
            _ = engine.play(.head(5))
            delays.append(end(&engine))
            reopen(&engine)
        }
        #expect(delays == [.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test func aHeartbeatMakesTheNextBreakAFirstOne() {
        var engine = SyncEngine.online()
        for _ in 0..<3 {
            _ = end(&engine)
            reopen(&engine)
        }
        _ = engine.play(.told(.heartbeat))
        #expect(end(&engine) == .zero)
    }

    @Test func threeMuteStreamsAreFollowedByPollingForAWhile() {
        var engine = SyncEngine.online()
        for _ in 0..<2 {
            #expect(end(&engine) != .seconds(600))
            reopen(&engine)
        }
        #expect(end(&engine) == .seconds(600))
        #expect(engine.state == .polling)
        for _ in 0..<5 {
            #expect(engine.play(.fired(.poll)) == [.greet])
            #expect(engine.timers(.hello(.todo())) == [.poll: .seconds(30)])
        }
        reopen(&engine)
        #expect(engine.state == .live)
        #expect(end(&engine) != .seconds(600))
    }

    @Test func aStreamThatSaidAWordIsNotMute() {
        var engine = SyncEngine.online()
        _ = engine.play(.told(.heartbeat))
        _ = end(&engine)
        for _ in 0..<2 {
            reopen(&engine)
            #expect(end(&engine) != .seconds(600))
        }
    }

    @Test func streamsThatNeverOpenCountAsMute() {
        var engine = SyncEngine.online(isLive: false)
        for _ in 0..<2 {
            #expect(end(&engine) != .seconds(600))
            #expect(engine.play(.fired(.reopen)) == [.openStream])
        }
        #expect(end(&engine) == .seconds(600))
    }

    @Test func pollingGoesOnWhileAStreamIsBeingOpened() {
        var engine = SyncEngine.online(isLive: false)
        #expect(engine.play(.fired(.poll)) == [.greet])
        #expect(engine.timers(.hello(.todo())) == [.poll: .seconds(30)])
    }

    @Test func changesArePulledWhilePolling() {
        var engine = SyncEngine.online(isLive: false)
        #expect(engine.play(.fired(.poll), .hello(.todo(head: 8))) == [.greet, .pull(.todo)])
    }

    @Test func goingOfflineClosesTheStreamAndComingBackOpensOne() {
        var engine = SyncEngine.online([.todo(cursor: 1)])
        #expect(engine.handle(.pulled(.todo, .failure(.cut))).contains(.closeStream))
        #expect(engine.play(.streamEnded(.cut), .fired(.reopen), .fired(.poll)) == [])
        #expect(engine.play(.fired(.retry), .hello(.todo())) == [.greet, .openStream])
    }
}
