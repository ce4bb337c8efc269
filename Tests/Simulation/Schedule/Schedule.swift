import Hub
import HubStore
import Platform
import Replica
import Sync
import TandemItems

/// One schedule: a world is made, people and misfortune act in it, then the faults end and everything must come to rest
/// in the state that was promised.
package struct Schedule {
    /// How a schedule went.
    package struct Report: Sendable {
        package var violations: [Violation]
        package var faults: [Fault: Int]
        package var events: Int
        /// Of times and order: two runs of one schedule have the same.
        package var fingerprint: UInt64
        package var trace: [String]
    }

    /// How long faults may be over before everything rests, in simulated milliseconds: three of the longest waits.
    static let patience: Int64 = 1_900_000

    let world: World
    private var stimulusCount: Int { world.plan.stimuli.count }

    /// Plays a plan.
    package static func play(_ plan: Plan, isTracing: Bool = false) -> Report {
        let schedule = Schedule(world: World(plan, isTracing: isTracing))
        let report = schedule.run()
        return report
    }

    private func run() -> Report {
        begin()
        let end = (world.plan.stimuli.map(\.time).max() ?? 0) + 5_000
        var left = 30_000
        while left > 0, world.step(until: end) { left -= 1 }
        calmDown()
        settle(&left)
        world.finish()
        return Report(
            violations: world.violations, faults: world.counts, events: world.eventCount,
            fingerprint: world.fingerprint, trace: world.trace)
    }

    private func begin() {
        world.hub.start()
        for index in 0..<world.plan.replicaCount {
            let machine = "machine\(index)"
            let new = NewStore(
                name: "replica \(index)", machine: machine, path: "/store",
                random: SeededRandom(seed: world.plan.seed &+ UInt64(index)))
            var state = MemoryReplicaState(record: new.makeRecord(), lists: new.lists)
            for list in world.plan.firstLists { state.addList(list) }
            if !world.plan.replicasThatJoinLater.contains(index) { state.storedRecord.membership = membership(index) }
            let replica = SimulatedReplica(
                world, index: index, tokenIndex: index, machine: machine, state: state,
                offset: world.plan.offsets[index])
            world.replicas.append(replica)
            world.after(Int64(world.random.below(2_000))) { replica.start() }
        }
        for stimulus in world.plan.stimuli {
            world.after(stimulus.time) { Misfortune(world: world, random: .init(seed: stimulus.seed)).act(stimulus.kind) }
        }
        for index in world.plan.replicasThatJoinLater { join(index, after: Int64(1_000 + world.random.below(20_000))) }
    }

    private func join(_ index: Int, after delay: Int64) {
        world.after(delay) { [world] in world.replicas[index].join() }
    }

    // MARK: The end

    /// Faults end: everything runs, everybody may do everything, every clock stays as it is.
    private func calmDown() {
        world.note("faults are over")
        world.isCalm = true
        world.hub.storage.failAfter = nil
        world.hub.start()
        world.hub.reconfigure(world.plan.hubConfiguration)
        for index in 0..<world.plan.replicaCount {
            let lists = world.plan.firstLists + world.plan.laterLists.filter { world.hub.storage.state.lists[$0] != nil }
            world.hub.storage.state.putToken(index, lists: lists)
        }
        for replica in world.replicas {
            replica.storage.crashAfter = nil
            replica.start()
            if replica.record.membership == nil { replica.join() }
        }
    }

    private func settle(_ left: inout Int) {
        let deadline = world.time + Self.patience
        var rounds = 0
        while !isSettled, rounds < 400, left > 0 {
            rounds += 1
            let target = min(deadline, world.time + 250 * Int64(1 + rounds))
            while left > 0, world.step(until: target) { left -= 1 }
            wakeWhoNeedsAPerson()
            if world.time >= deadline || !world.advance(to: target) { break }
        }
        for replica in world.replicas { checkLiveness(replica) }
        guard world.violations.isEmpty else { return }
        drain(&left)
        EndChecks(world: world).run()
        guard world.violations.isEmpty else { return }
        FirstSync(world: world).check(&left)
    }

    /// A token that was refused and a protocol that was too old wait for a person.
    private func wakeWhoNeedsAPerson() {
        for replica in world.replicas {
            guard let process = replica.process else { continue }
            if process.engine.state == .authRequired || process.engine.state == .upgradeRequired {
                process.feed(.syncRequested(1))
            }
            if replica.record.membership == nil { replica.join() }
        }
        world.executor.drain()
    }

    private func drain(_ left: inout Int) {
        let end = world.time + 3_000
        while left > 0, world.step(until: end) { left -= 1 }
    }

    private var isSettled: Bool { world.replicas.allSatisfy(isSettled) }

    private func isSettled(_ replica: SimulatedReplica) -> Bool {
        guard let process = replica.process, process.isIdle, process.engine.isOnline,
            replica.record.epoch == world.hub.storage.state.epoch
        else { return false }
        return world.hub.storage.state.lists.values.allSatisfy { list in
            guard let mine = replica.storage.state.contents(of: list.list.name) else { return false }
            return mine.pending.isEmpty && mine.list.cursor?.sequence == list.list.head
                && mine.list.cursor?.digest == list.list.digest
        }
    }

    private func checkLiveness(_ replica: SimulatedReplica) {
        guard !isSettled(replica) else { return }
        let lists = replica.storage.state.storedLists.map {
            "\($0.list.name): \($0.pending.count) pending, cursor \($0.list.cursor?.description ?? "none")"
        }
        let heads = world.hub.storage.state.lists.values.map { "\($0.list.name) \($0.list.head) \($0.list.digest)" }
        let state = replica.process.map { "\($0.engine.state) \($0.engine.lastError?.message ?? "")" } ?? "down"
        world.violate(.live, "replica \(replica.index) (\(state)) \(lists.sorted()); hub \(heads.sorted())")
    }

    private func membership(_ index: Int) -> Membership { Membership(address: "http://hub", token: "tdm_r\(index)") }
}

extension SimulatedReplica {
    func join() {
        let membership = Membership(address: "http://hub", token: "tdm_r\(tokenIndex)")
        guard let process, record.membership == nil, !process.isChangingMembership else { return }
        process.isChangingMembership = true
        world.spawn { [self] in
            // A hub that does not answer is asked again at the end.
            do { try await process.join(membership) } catch { world.note("replica \(index) does not join: \(error)") }
            process.isChangingMembership = false
        }
    }

    func leave() {
        guard let process, record.membership != nil, !process.isChangingMembership else { return }
        process.isChangingMembership = true
        world.spawn { [self] in
            do { try await process.leave() } catch { world.note("replica \(index) does not leave: \(error)") }
            process.isChangingMembership = false
        }
    }
}

extension MemoryReplicaState {
    mutating func addList(_ name: ListName) {
        let transaction = MemoryReplicaTransaction(self)
        transaction.put(ReplicaList(name: name, kind: .todo))
        self = transaction.state
    }
}
