import Platform
import Replica
import Sync
import TandemItems
import TestSupport
import Testing

/// Joining and leaving while the driver runs, and replicas that share a hub.
@Suite(.timeLimit(.minutes(5))) struct SyncDriverMembershipTests {
    private let membership = Membership(address: "https://hub", token: "t")

    @Test func joiningUploadsAndLeavingKeeps() async throws {
        try await withDriver(isJoined: false) { bench in
            try await bench.replica.edit("a", [.title: "x"])
            let hello = try await bench.driver.join(membership)
            #expect(hello.name == "a hub")
            try await bench.until { await bench.driver.status.state != .detached }
            try await bench.untilSynced()
            #expect(bench.hub.items().count == 1)
            try await bench.driver.leave()
            try await bench.until(.detached)
            try await bench.replica.edit("b", [.title: "x"])
            #expect(try await bench.replica.ids() == ["a", "b"])
            #expect(bench.hub.with { $0.streams.count } == 0)
            _ = try await bench.driver.join(membership)
            try await bench.until { await bench.driver.status.state != .detached }
            try await bench.untilSynced()
            #expect(bench.hub.items().count == 2)
        }
    }

    /// Whichever comes last: the driver syncs if, and only if, the store belongs to a hub.
    @Test func joiningAndLeavingAtOnceLeaveTheDriverWithWhatTheStoreSays() async throws {
        try await withDriver { bench in
            for _ in 0..<50 {
                await withTaskGroup(of: Void.self) { group in
                    for place in 0..<6 {
                        group.addTask {
                            if place.isMultiple(of: 2) {
                                _ = try? await bench.driver.join(membership)  // either may come too late
                            } else {
                                try? await bench.driver.leave()
                            }
                        }
                    }
                }
                let isJoined = try await bench.model.record().membership != nil
                try await bench.until { await (bench.driver.status.state != .detached) == isJoined }
                #expect(await (bench.sync() == nil) == isJoined)
            }
        }
    }

    @Test func aHubThatDoesNotAnswerIsNotJoined() async throws {
        let hub = FaultyHub()
        hub.setDown(true)
        try await withDriver(hub, isJoined: false) { bench in
            await #expect(throws: HubError.self) { _ = try await bench.driver.join(membership) }
            let record = try await bench.model.record()
            #expect(record.membership == nil)
        }
    }

    @Test func aRefusedJoinLeavesTheFormerHubJoined() async throws {
        let other = FaultyHub()
        other.with { $0.epoch = Epoch("other") }
        try await withDriver(hubs: ["https://other": other]) { bench in
            try await bench.until(.live)
            await #expect(throws: ModelError.self) {
                _ = try await bench.driver.join(Membership(address: "https://other", token: "t"))
            }
            #expect(await bench.sync() == nil)
            try await bench.until(.live)
            try await bench.replica.edit("a", [.title: "x"])
            try await bench.untilSynced()
            #expect(bench.hub.items().count == 1)
            #expect(other.items() == [])
        }
    }

    /// What the former hub answers late must not be taken for the new one's.
    @Test(arguments: [FaultyHub.Call.hello, .push, .changes]) func noAnswerOfAFormerHubIsTaken(
        _ call: FaultyHub.Call
    ) async throws {
        let (former, other) = (FaultyHub(), FaultyHub())
        other.with { $0.epoch = Epoch("other") }
        try former.write("theirs", [.title: "of the former hub"])
        try await withDriver(former, hubs: ["https://other": other]) { bench in
            let gate = former.hold(call)
            try await bench.replica.edit("mine", [.title: "x"])
            async let asked = bench.sync()
            await gate.reached()
            try await bench.driver.leave()
            #expect(await asked != nil)
            _ = try await bench.driver.join(Membership(address: "https://other", token: "t"))
            former.release(call)
            #expect(await bench.sync() == nil)
            #expect(try await bench.model.record().epoch == Epoch("other"))
            #expect(try other.item("mine")?[.title] == "x")
            #expect(try await bench.model.items(in: .todo) == other.items())
            #expect(try await bench.replica.pending() == [])
        }
    }

    @Test func twoReplicasOverOneHubConverge() async throws {
        let hub = FaultyHub()
        try await withDriver(hub, seed: 31) { one in
            try await withDriver(hub, seed: 32) { two in
                for index in 0..<20 {
                    try await one.replica.edit("i\(index % 7)", [.title: .string("one \(index)")])
                    try await two.replica.edit("i\(index % 5)", [.title: .string("two \(index)")])
                    if index % 6 == 0 { try await two.replica.edit("i\(index % 7)", [.deleted: true]) }
                }
                for bench in [one, two, one, two] { #expect(await bench.sync() == nil) }
                let (first, second) = (try await one.model.items(in: .todo), try await two.model.items(in: .todo))
                #expect(first == second)
                #expect(first == hub.items())
            }
        }
    }

    /// Faults at random, then none: everything arrives, on every replica, and counters count every edit once.
    @Test func replicasConvergeAfterFaultsAtRandom() async throws {
        let seed = TestSeed.make()
        let random = SeededRandom(seed: seed)
        let hub = FaultyHub()
        let count = try FieldName("count")
        hub.answer(atMost: 3)
        try await withDriver(hub, seed: 41) { one in
            try await withDriver(hub, seed: 42) { two in
                for index in 0..<120 {
                    let bench = index % 2 == 0 ? one : two
                    let id = "i\(random.next() % 6)"
                    switch random.next() % 8 {
                    case 0: hub.fail(.push, .lost(HubError(.interrupted, "lost")))
                    case 1: hub.fail(.changes, .lost(HubError(.interrupted, "lost")))
                    case 2: hub.breakStreams(HubError(.interrupted, "cut"))
                    case 3: try await bench.replica.edit(id, [.deleted: true])
                    case 4: hub.setDown(index % 3 == 0)
                    default: break
                    }
                    try await bench.replica.edit(id, [.title: .string("\(index)")])
                    try await bench.replica.edit("counter", [:], increments: [count: 1])
                    bench.time.advanceToNextSleeper()
                }
                hub.setDown(false)
                hub.failNoMore()
                for bench in [one, two, one, two] { #expect(await bench.sync() == nil) }
                #expect(try hub.item("counter")?[count] == 120)
                #expect(try await one.model.items(in: .todo) == hub.items())
                #expect(try await two.model.items(in: .todo) == hub.items())
            }
        }
    }
}
