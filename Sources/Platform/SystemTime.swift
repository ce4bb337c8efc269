import Glibc

/// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_BOOTTIME` (clock_gettime(2)), the latter being what
/// `ContinuousClock` sleeps by.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: Int64 {
        let time = Self.read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    package var monotonic: Duration {
        let time = Self.read(CLOCK_BOOTTIME)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Reads a clock that Linux always has, so clock_gettime(2) cannot fail.
    static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
