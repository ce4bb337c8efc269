import Platform

/// One machine's clock: the world's time, and how far this machine's wall clock is off.
final class SimulatedClock: TimeSource, @unchecked Sendable {
    private unowned let world: World
    /// In milliseconds.
    var offset: Int64

    init(_ world: World, offset: Int64) {
        self.world = world
        self.offset = offset
    }

    var now: Int64 { 1_700_000_000_000 &+ world.time &+ offset }
    var monotonic: Duration { .milliseconds(world.time) }

    /// Nothing in a world sleeps by itself: the scheduler has the timers.
    func sleep(for duration: Duration) async throws { throw CancellationError() }
}
