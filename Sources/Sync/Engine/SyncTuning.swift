/// The engine's intervals and bounds.
package struct SyncTuning: Hashable, Sendable {
    /// The wait after the first failure; doubles with each further one.
    package var firstRetry: Duration = .milliseconds(500)
    package var longestRetry: Duration = .seconds(60)
    /// The wait before the one early try that an edit causes.
    package var hastenedRetry: Duration = .milliseconds(100)
    /// How often the hub is asked while no event stream tells of changes, or while it refuses a list.
    package var poll: Duration = .seconds(30)
    /// After how many streams in a row that ended without a word no further one is opened for a while.
    package var muteStreams = 3
    package var reopen: Duration = .seconds(600)
    /// Most mutations of a push.
    package var pushLimit = 500

    package init() {}

    /// The wait after a number of failures in a row: exponential, between half and all of it by chance, so that
    /// replicas which lost their hub together do not come back together.
    func backoff(_ failures: Int, _ random: UInt64) -> Duration {
        let full = min(longestRetry, firstRetry * (1 << min(failures - 1, 20)))
        return full / 2 + full / 2 * (Double(random >> 11) / Double(1 << 53))
    }
}
