import HTTP
import Platform
import TandemClient
import Testing
import Wire

/// A subscription ends with its owner and leaves nothing behind.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ChangeSubscriptionEndTests {
    private let fixture = SubscriptionFixture()
    private var daemon: EventDaemon { fixture.daemon }

    /// Says when it goes.
    private final class Owner {
        private let isGone: Watched<Bool>
        var subscription: ChangeSubscription?
        var calls = 0

        init(_ isGone: Watched<Bool>) { self.isGone = isGone }

        deinit { isGone.update { $0 = true } }
    }

    @Test func closureIsNotCalledAfterTheEnd() async throws {
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        daemon.commit(.inserted, try makeItem("a"))
        for stream in daemon.streams.value { stream.waitUntilRead() }
        // The delivery waits for its turn of the main queue, which this test holds.
        collector.subscription?.end()
        await daemon.streams.wait { $0.isEmpty }
        daemon.commit(.inserted, try makeItem("b"))
        for _ in 0..<100 { await Task.yield() }
        #expect(collector.batches.count == 1)
        collector.subscription?.end()
    }

    @Test func closureMayEndItsSubscription() async throws {
        let isGone = Watched(false)
        var owner: Owner? = Owner(isGone)
        owner?.subscription = fixture.subscribe { [weak owner] _ in
            owner?.calls += 1
            owner?.subscription?.end()
        }
        await daemon.streams.wait { $0.count == 1 }
        await daemon.streams.wait { $0.isEmpty }
        #expect(owner?.calls == 1)
        owner = nil
        await isGone.wait { $0 }
    }

    @Test func subscriptionEndsWithItsOwner() async throws {
        let isGone = Watched(false)
        let isHeldGone = Watched(false)
        let isConnected = Watched(false)
        var owner: Owner? = Owner(isGone)
        let held = Owner(isHeldGone)
        owner?.subscription = fixture.subscribe { [weak owner, held] _ in
            owner?.calls += 1
            held.calls += 1
            isConnected.update { $0 = true }
        }
        await isConnected.wait { $0 }
        owner = nil
        #expect(isGone.value)
        await daemon.streams.wait { $0.isEmpty }
        _ = consume held
        await isHeldGone.wait { $0 }
    }

    @Test func subscriptionEndsWhileItSeeksTheDaemon() async throws {
        fixture.transport.fault.update { $0 = .unreachable }
        let collector = BatchCollector(fixture)
        await fixture.time.sleepers(atLeast: 1)
        collector.drop()
        while fixture.time.sleeperCount > 0 { await Task.yield() }
        #expect(daemon.resumed.value.isEmpty)
    }

    @Test func streamEndsWithTheTaskThatReadsIt() async throws {
        let batches = fixture.batches()
        let count = Watched(0)
        let reader = Task {
            for await _ in batches { count.update { $0 += 1 } }
        }
        await count.wait { $0 == 1 }
        reader.cancel()
        await reader.value
        await daemon.streams.wait { $0.isEmpty }
    }

    @Test func streamEndsWhenItIsDropped() async throws {
        do {
            var batches = fixture.batches().makeAsyncIterator()
            #expect(await batches.next()?.isConnected == true)
        }
        await daemon.streams.wait { $0.isEmpty }
    }
}
