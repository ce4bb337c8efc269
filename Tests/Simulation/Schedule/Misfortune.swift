import Hub
import Sync
import HubStore
import Replica
import TandemItems

/// Carries out one stimulus of a plan.
struct Misfortune {
    let world: World
    var random: SimulationRandom

    func act(_ kind: Plan.Stimulus.Kind) {
        var copy = self
        copy.carryOut(kind)
    }

    private mutating func carryOut(_ kind: Plan.Stimulus.Kind) {
        let replica = random.pick(world.replicas)
        switch kind {
        case .edit: typist(replica) { $0.act() }
        case .resolve: typist(replica) { $0.resolve() }
        case .retry: typist(replica) { $0.retry() }
        case .sync: replica.process?.feed(.syncRequested(1))
        case .network: replica.process?.feed(.networkChanged)
        case .backUpHub: world.hub.backUp()
        case .backUpReplica: replica.copies.append((replica.storage.state, world.oracle.replicas[replica.index] ?? .init()))
        case .fault(let fault): strike(fault, replica)
        }
    }

    private func typist(_ replica: SimulatedReplica, _ body: (inout Typist) -> Void) {
        var typist = Typist(world: world, replica: replica, random: random)
        body(&typist)
    }

    private mutating func strike(_ fault: Fault, _ replica: SimulatedReplica) {
        let length = Int64(random.pick([50, 1_000, 10_000]) + random.below(1_000))
        world.note("fault \(fault) for \(length)")
        switch fault {
        case .requestLost, .answerLost, .doubled, .delayed, .truncated, .turnedAway, .commitFailure, .unknownMembers:
            return  // Decided by message.
        case .hubCrashInTransaction:
            world.hub.storage.failAfter = random.below(8)
            return  // Counted when it happens.
        case .crashInTransaction:
            replica.storage.crashAfter = random.below(12)
            return  // As above.
        default: break
        }
        guard strikes(fault, replica, length) else { return }
        world.count(fault)
    }

    /// Whether there was something to strike.
    private mutating func strikes(_ fault: Fault, _ replica: SimulatedReplica, _ length: Int64) -> Bool {
        switch fault {
        case .partition:
            let cut = random.chance(20) ? world.replicas : [replica]
            for replica in cut { world.network.partitions[replica.index] = world.time + length }
        case .crash: replica.crash(for: length)
        case .hubCrash: world.hub.crash(for: length)
        case .clockJump: jump(replica)
        case .hubRestore, .hubRestoreNewEpoch: return restoreHub(fault)
        case .replicaRestore: return restore(replica)
        case .clone, .hiddenClone: return clone(replica, isHidden: fault == .hiddenClone)
        case .diskFull:
            replica.storage.isFull = true
            world.after(length) { replica.storage.isFull = false }
        case .hubDiskFull:
            world.hub.storage.isFull = true
            world.after(length) { [world] in world.hub.storage.isFull = false }
        case .limits: tightenLimits(length)
        case .roleChange, .tokenRevoked: changeRights(fault, replica, length)
        case .listAdded: addList()
        case .protocolRaised: world.network.isRaisedUntil = world.time + length
        case .leave: replica.leave()
        default: return false
        }
        return true
    }

    private mutating func jump(_ replica: SimulatedReplica) {
        let clock = random.chance(30) ? world.hub.clock : replica.clock
        clock.offset += random.pick([-63_072_000_000, -3_600_000, -2_000, 2_000, 3_600_000, 63_072_000_000])
    }

    private mutating func restoreHub(_ fault: Fault) -> Bool {
        guard !world.hub.copies.isEmpty else { return false }
        world.hasForgotten = true
        world.hub.restore(
            random.pick(world.hub.copies),
            epoch: fault == .hubRestoreNewEpoch ? Epoch("epoch\(random.next() >> 32)") : nil)
        return true
    }

    private mutating func restore(_ replica: SimulatedReplica) -> Bool {
        guard !replica.copies.isEmpty else { return false }
        world.hasForgotten = true
        let copy = random.pick(replica.copies)
        replica.kill()
        replica.storage.state = copy.state
        world.oracle.replicas[replica.index] = copy.view
        world.oracle.noteLosses(world)
        world.note("replica \(replica.index) is restored")
        world.after(100) { replica.start() }
        return true
    }

    /// A copy of a store begins to run elsewhere, and the original goes on.
    private func clone(_ replica: SimulatedReplica, isHidden: Bool) -> Bool {
        guard world.replicas.count < 9 else { return false }
        world.hasForgotten = true
        let index = world.replicas.count
        let clone = SimulatedReplica(
            world, index: index, tokenIndex: replica.tokenIndex,
            machine: isHidden ? replica.machine : "machine\(index)", state: replica.storage.state,
            offset: world.plan.offsets[index])
        world.note("replica \(index) is a copy of \(replica.index)")
        world.oracle.replicas[index] = world.oracle.replicas[replica.index]
        world.replicas.append(clone)
        world.after(50) { clone.start() }
        return true
    }

    private mutating func tightenLimits(_ length: Int64) {
        var configuration = world.plan.hubConfiguration
        configuration.limits.itemBytes = random.pick([60, 250])
        configuration.limits.fields = random.pick([3, 256])
        configuration.limits.batchBytes = random.pick([600, 6_000])
        world.hub.reconfigure(configuration)
        let usual = world.plan.hubConfiguration
        world.after(length) { [world] in world.hub.reconfigure(usual) }
    }

    private mutating func changeRights(_ fault: Fault, _ replica: SimulatedReplica, _ length: Int64) {
        let (index, lists) = (replica.tokenIndex, replica.world.plan.firstLists)
        let revokes = fault == .tokenRevoked
        let role = random.chance(50)
        world.hub.storage.state.changeToken(index) {
            if revokes { $0.isRevoked = true } else if role { $0.role = .reader } else { $0.lists = [] }
        }
        world.after(length) { [world] in
            let added = world.plan.laterLists.filter { world.hub.storage.state.lists[$0] != nil }
            world.hub.storage.state.changeToken(index) {
                $0.isRevoked = false
                $0.role = .editor
                $0.lists = lists + added
            }
        }
    }

    private func addList() {
        for list in world.plan.laterLists where world.hub.storage.state.lists[list] == nil {
            world.hub.storage.state.addList(list)
            for index in 0..<world.plan.replicaCount {
                world.hub.storage.state.changeToken(index) { $0.lists.append(list) }
            }
        }
    }
}
