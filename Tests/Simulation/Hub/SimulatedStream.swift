import Hub
import Sync
import TandemItems

/// One event stream between the hub and a process. What is said on it arrives in order; it may break unnoticed, and
/// then the replica finds out after 45 s.
final class SimulatedStream: @unchecked Sendable {
    private unowned let world: World
    let process: ReplicaProcess
    private let era: Int
    var token: TokenRecord?
    private var isOver = false
    private var isBroken = false
    /// When the latest of what is under way arrives.
    private var lastArrival: Int64 = 0

    init(_ world: World, _ process: ReplicaProcess, era: Int) {
        self.world = world
        self.process = process
        self.era = era
    }

    /// Says something: `nil` says that the stream is open.
    func deliver(_ event: HubEvent?) {
        guard !isBroken, !isOver else { return }
        if world.network.isCut(process.replica) || world.strikes(.requestLost) { return breakLater() }
        lastArrival = max(lastArrival, world.time + Int64(1 + world.random.below(12)))
        world.after(lastArrival - world.time) { [self] in
            guard !isOver else { return }
            process.feed(event.map { .told($0) } ?? .streamOpened, of: era)
        }
    }

    /// Nothing comes through any more.
    func breakLater() {
        guard !isBroken else { return }
        isBroken = true
        world.hub.close(self)
        end(HubError(.interrupted, "simulated"), after: world.random.chance(60) ? 20 : 45_000)
    }

    func end(_ error: HubError, after delay: Int64) {
        world.after(delay) { [self] in
            guard !isOver else { return }
            isOver = true
            process.feed(.streamEnded(error), of: era)
        }
    }

    /// The replica closes it.
    func close() {
        isOver = true
        world.hub.close(self)
    }
}
