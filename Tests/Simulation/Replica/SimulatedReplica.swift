import Platform
import Replica
import Sync
import TandemItems

/// A replica's machine: its disk, its clock, and the process that runs on it now and then.
final class SimulatedReplica: @unchecked Sendable {
    unowned let world: World
    let index: Int
    /// Which token it uses: a clone uses that of its original.
    let tokenIndex: Int
    let storage: SimulatedReplicaStorage
    let clock: SimulatedClock
    var machine: String
    private(set) var process: ReplicaProcess?
    /// Older states of the disk, and what the oracle knew of them.
    var copies: [(state: MemoryReplicaState, view: Oracle.ReplicaView)] = []
    private var isStarting = false

    init(_ world: World, index: Int, tokenIndex: Int, machine: String, state: MemoryReplicaState, offset: Int64) {
        self.world = world
        self.index = index
        self.tokenIndex = tokenIndex
        self.machine = machine
        storage = SimulatedReplicaStorage(world, index, state)
        clock = SimulatedClock(world, offset: offset)
    }

    var record: StoreRecord { storage.state.storedRecord }
    var isUp: Bool { process != nil }

    func start() {
        guard process == nil, !world.isFinished else { return }
        world.note("replica \(index) starts")
        let process = ReplicaProcess(world, self)
        self.process = process
        process.start()
    }

    /// The process ends at whatever it was doing.
    func kill() {
        guard let process else { return }
        self.process = nil
        process.end()
    }

    func crash(for milliseconds: Int64) {
        guard process != nil else { return }
        world.note("replica \(index) crashes")
        kill()
        world.after(milliseconds) { [self] in start() }
    }
}
