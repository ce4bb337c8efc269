import Glibc
import Platform
import TestSupport
import Testing

@Suite("Signals", .serialized, .timeLimit(.minutes(5)))
struct SignalsTests {
    @Test func signalsArriveInOrder() async throws {
        var signals = try Signals.stream().makeAsyncIterator()
        for signal in [Signal.hangUp, .terminate, .interrupt, .hangUp] {
            kill(getpid(), signal.rawValue)
            #expect(await signals.next() == signal)
        }
    }

    @Test func eachStreamGetsOnlyWhatItAskedFor() async throws {
        var reloads = try Signals.stream(of: [.hangUp]).makeAsyncIterator()
        var stops = try Signals.stream(of: [.terminate, .interrupt]).makeAsyncIterator()
        kill(getpid(), SIGHUP)
        #expect(await reloads.next() == .hangUp)
        kill(getpid(), SIGINT)
        #expect(await stops.next() == .interrupt)
    }

    @Test func defaultEffectReturnsWithTheLastStream() async throws {
        do {
            let stream = try Signals.stream(of: [.hangUp])
            #expect(!hasDefaultEffect(SIGHUP))
            withExtendedLifetime(stream) {}
        }
        try await eventually { hasDefaultEffect(SIGHUP) }
    }

    @Test func writeToAClosedPipeIsAnError() {
        Signals.ignoreBrokenPipes()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        #expect(!Output.write([1], to: ends[1]))
        #expect(errno == EPIPE)
        close(ends[1])
    }

    private func hasDefaultEffect(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    }
}
