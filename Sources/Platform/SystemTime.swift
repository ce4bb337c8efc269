import Glibc

/// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_BOOTTIME` (clock_gettime(2)), the latter being what
/// `ContinuousClock` sleeps by.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: Int64 {
        let time = Self.read(CLOCK_REALTIME)
        return Int64(time.seconds) * 1_000 + Int64(time.nanoseconds) / 1_000_000
    }

    package var monotonic: Duration {
        let time = Self.read(CLOCK_BOOTTIME)
        return .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
    }

    package func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Reads a clock that Linux always has, so clock_gettime(2) cannot fail.
    ///
    /// The two words are the layout of `timespec`, whose members an optimising build of Swift 6.3 refuses: it takes
    /// them for those of a private module of the standard library that cannot be imported.
    static func read(_ clock: clockid_t) -> (seconds: Int, nanoseconds: Int) {
        precondition(MemoryLayout<timespec>.size == MemoryLayout<(Int, Int)>.size)
        var words = (0, 0)
        withUnsafeMutablePointer(to: &words) { pointer in
            _ = pointer.withMemoryRebound(to: timespec.self, capacity: 1) { clock_gettime(clock, $0) }
        }
        return (words.0, words.1)
    }
}
