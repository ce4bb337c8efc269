import Platform
import Replica
import Sync
import TandemItems
import TestSupport
import Testing

/// The driver with the real engine and model, over a hub in memory and time that stands still.
@Suite(.timeLimit(.minutes(5))) struct SyncDriverTests {
    @Test func anEditReachesTheHubAndAChangeTheReplica() async throws {
        try await withDriver { bench in
            try await bench.until(.live)
            let hellos = bench.hub.count(.hello)
            try await bench.replica.edit("a", [.title: "mine"])
            try await bench.untilSynced()
            #expect(try bench.hub.item("a")?[.title] == "mine")
            try bench.hub.write("b", [.title: "theirs"])
            try await bench.untilSynced()
            #expect(try await bench.replica.ids() == ["a", "b"])
            #expect(bench.hub.count(.hello) == hellos)
        }
    }

    @Test func editsWaitWhileTheHubIsAway() async throws {
        try await withDriver { bench in
            try await bench.until(.live)
            bench.hub.setDown(true)
            try await bench.until(.offline)
            try await bench.replica.edit("a", [.title: "mine"])
            try bench.hub.write("b", [.title: "theirs"])
            #expect(await bench.driver.status.isCaughtUp == false)
            bench.hub.setDown(false)
            await bench.time.sleepers(atLeast: 1)
            #expect(await bench.driver.status.nextTry != nil)
            bench.time.advanceToNextSleeper()
            try await bench.untilSynced()
            #expect(bench.hub.items().count == 2)
            #expect(await bench.driver.status.nextTry == nil)
        }
    }

    @Test func aChangeOfTheNetworkWakesIt() async throws {
        let hub = FaultyHub()
        hub.setDown(true)
        try await withDriver(hub, isJoined: false, hubs: [:]) { bench in
            hub.setDown(false)
            _ = try await bench.driver.join(Membership(address: "https://hub", token: "t"))
            try await bench.until(.live)
            hub.setDown(true)
            try await bench.until(.offline)
            hub.setDown(false)
            await bench.driver.networkChanged()
            try await bench.until(.live)
        }
    }

    @Test(arguments: [FaultyHub.Call.push, .changes, .hello]) func aLostAnswerLosesAndDoublesNothing(
        _ call: FaultyHub.Call
    ) async throws {
        let hub = FaultyHub()
        let count = try FieldName("count")
        try await withDriver(hub) { bench in
            try await bench.until(.live)
            hub.fail(call, .lost(HubError(.interrupted, "lost")), .lost(HubError(.interrupted, "lost")))
            try await bench.replica.edit("a", [.title: "x"], increments: [count: 5])
            try hub.write("b", [.title: "y"])
            if call == .hello { hub.breakStreams(HubError(.interrupted, "cut")) }
            try await bench.untilSyncedThroughFailures()
            #expect(hub.faults(of: call) == [])
            #expect(try hub.item("a")?[count] == 5)
            #expect(try await bench.replica.shown("a")[count] == 5)
        }
    }

    @Test func syncReturnsOnceAllIsThere() async throws {
        try await withDriver { bench in
            try await bench.replica.edit("a", [.title: "x"])
            #expect(await bench.sync() == nil)
            #expect(try await bench.model.hasPending(in: .todo) == false)
            #expect(bench.hub.items().count == 1)
        }
    }

    @Test func syncEndsWithTheHubsError() async throws {
        try await withDriver { bench in
            try await bench.until(.live)
            bench.hub.fail(.hello, .refused(HubError(.busy, "later", retryAfter: .seconds(5))))
            #expect(await bench.sync() == .failed(HubError(.busy, "later", retryAfter: .seconds(5))))
            await bench.time.sleepers(atLeast: 1)
            bench.time.advance(by: .seconds(4))
            #expect(bench.time.sleeperCount == 1)
            bench.time.advance(by: .seconds(1))
            try await bench.until(.live)
        }
    }

    @Test func syncEndsByItsTimeout() async throws {
        try await withDriver { bench in
            try await bench.until(.live)
            let gate = bench.hub.hold(.hello)
            async let result = bench.sync(.seconds(10))
            await gate.reached()
            await bench.time.sleepers(atLeast: 1)
            bench.time.advance(by: .seconds(10))
            #expect(await result == .timedOut)
            bench.hub.release(.hello)
            #expect(await bench.sync() == nil)
        }
    }

    @Test func syncWithoutAHubSaysSo() async throws {
        try await withDriver(isJoined: false) { bench in
            #expect(await bench.sync() == .failed(HubError(.unreachable, "this store has no hub")))
        }
    }

    @Test func stoppingEndsEverything() async throws {
        let hub = FaultyHub()
        let replica = try ModelBench.memory(hub, seed: 5)
        try await replica.join()
        let bench = DriverBench(replica, ManualTime(), hubs: [:])
        let run = Task { try await bench.driver.run() }  // Cancelled below.
        try await bench.until(.live)
        let gate = hub.hold(.push)
        try await replica.edit("a", [.title: "x"])
        await gate.reached()
        async let waiting = bench.sync()
        await bench.time.sleepers(atLeast: 1)
        run.cancel()
        try await run.value
        #expect(await waiting == .timedOut)
        #expect(bench.time.sleeperCount == 0)
        #expect(hub.with { $0.streams.count } == 0)
        #expect(await bench.sync() == .timedOut)
        // Nobody listens any more.
        hub.beat()
        try await replica.edit("b", [.title: "x"])
        #expect(try await bench.model.lists().first?.counts.pending == 2)
    }

    @Test func anEditDuringAPushFollowsIt() async throws {
        try await withDriver { bench in
            try await bench.until(.live)
            let gate = bench.hub.hold(.push)
            try await bench.replica.edit("a", [.title: "first"])
            await gate.reached()
            try await bench.replica.edit("a", [.title: "second"])
            bench.hub.release(.push)
            try await bench.untilSynced()
            #expect(try bench.hub.item("a")?[.title] == "second")
            #expect(bench.hub.count(.push) == 2)
        }
    }

    @Test func whatIsTooLargeIsQuarantinedAndTheRestFlows() async throws {
        let hub = FaultyHub()
        try await withDriver(hub) { bench in
            try await bench.until(.live)
            hub.setDown(true)
            try await bench.until(.offline)
            for index in 0..<5 { try await bench.replica.edit("i\(index)", [.title: "x"]) }
            hub.setDown(false)
            let tooLarge = FaultyHub.Fault.refused(HubError(.tooLarge, "413"))
            // 500, 250, 125, 62, 31, 15, 7, 3, 1: then the first is set aside.
            hub.fail(.push, tooLarge, tooLarge, tooLarge, tooLarge, tooLarge, tooLarge, tooLarge, tooLarge, tooLarge)
            #expect(await bench.sync() == nil)
            #expect(try await bench.model.quarantined().map(\.refusal.code) == ["too-large"])
            #expect(hub.items().map(\.id.text) == ["i1", "i2", "i3", "i4"])
        }
    }

    @Test func aRevokedTokenKeepsEditsAndAPersonWakesIt() async throws {
        let hub = FaultyHub()
        try await withDriver(hub) { bench in
            try await bench.until(.live)
            let refused = FaultyHub.Fault.refused(HubError(.unauthorized, "revoked"))
            hub.fail(.push, refused)
            hub.fail(.hello, refused)
            try await bench.replica.edit("a", [.title: "x"])
            try await bench.until(.authRequired)
            #expect(bench.time.sleeperCount == 0)
            try await bench.replica.edit("b", [.title: "x"])
            #expect(await bench.sync() == nil)
            #expect(hub.items().count == 2)
        }
    }

    @Test func aHubOfAnotherProtocolIsNotJoined() async throws {
        let hub = FaultyHub()
        hub.with { $0.protocols = 7...9 }
        try await withDriver(hub, isJoined: false) { bench in
            let error = await #expect(throws: HubError.self) {
                _ = try await bench.driver.join(Membership(address: "https://hub", token: "t"))
            }
            #expect(error?.code == .upgradeRequired)
            #expect(await bench.driver.status.state == .detached)
            let record = try await bench.model.record()
            #expect(record.membership == nil)
        }
    }

    @Test func aRestoredHubGetsBackWhatItLost() async throws {
        let hub = FaultyHub()
        try await withDriver(hub) { bench in
            for id in ["a", "b", "c"] { try hub.write(id, [.title: .string(id)]) }
            try await bench.untilSynced()
            hub.setDown(true)
            try await bench.until(.offline)
            hub.with { $0.lists = [.todo: FakeList()] }
            hub.setDown(false)
            #expect(await bench.sync() == nil)
            #expect(hub.items().map(\.id.text) == ["a", "b", "c"])
            #expect(try await bench.model.items(in: .todo) == hub.items())
        }
    }

    @Test func aForkedReplicaGoesOnUnderANewID() async throws {
        let hub = FaultyHub()
        try await withDriver(hub) { bench in
            try await bench.until(.live)
            let record = try await bench.model.record()
            let taken = Mutation(
                replica: record.replica, n: 1, nonce: try Nonce("the other's"), item: try ItemID("x"), base: .none,
                set: [.title: "x"], at: Timestamp(milliseconds: 1))
            _ = try await hub.push([taken], to: .todo, seen: nil)
            for id in ["a", "b"] { try await bench.replica.edit(id, [.title: "mine"]) }
            #expect(await bench.sync() == nil)
            #expect(hub.items().map(\.id.text) == ["a", "b", "x"])
            #expect(try await bench.model.record().replica != record.replica)
        }
    }
}
