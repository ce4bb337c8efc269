/// Time as it is passed in, so that tests and the simulator own it.
package protocol TimeSource: Sendable {
    /// Wall-clock time in Unix milliseconds. May jump, and may be years off.
    var now: Int64 { get }
    /// Time since a fixed start, never going back; counts while the machine sleeps. For intervals and deadlines.
    var monotonic: Duration { get }
    /// Returns after at least `duration`; throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension Duration {
    /// Whole milliseconds, cut towards zero; the ends of `Int64` for durations past them.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
