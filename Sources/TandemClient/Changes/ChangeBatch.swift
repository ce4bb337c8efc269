public import Wire

/// What a subscriber hears of in one turn of the main queue: everything since the turn before.
public struct ChangeBatch: Hashable, Sendable {
    /// The committed changes in the order of their commits, each item once.
    ///
    /// Apply them as facts about each item, whatever was known of it: an `inserted` or `updated` item is now so, a
    /// `removed` one is gone. After a resumed stream an item that is new says `updated`, and a removal may be of an
    /// item that was never seen.
    public var reports: [ChangeReport]
    /// What was heard is not all that has changed: read anew what is shown. It is so once at the start, where no stamp
    /// was given, and whenever changes were missed; `reports` is empty then, and every later change follows.
    public var needsReload: Bool
    /// The state of the sync or the set of lists may have changed: read the status anew.
    public var hasStatus: Bool
    /// Whether the daemon is there now.
    public var isConnected: Bool
    /// Why the daemon is not there.
    public var problem: DaemonError?
    /// Where a later subscription resumes that knows everything up to this batch; `nil` before the first connection.
    public var stamp: Int64?

    /// Makes a batch.
    public init(
        reports: [ChangeReport] = [], needsReload: Bool = false, hasStatus: Bool = false, isConnected: Bool = true,
        problem: DaemonError? = nil, stamp: Int64? = nil
    ) {
        self.reports = reports
        self.needsReload = needsReload
        self.hasStatus = hasStatus
        self.isConnected = isConnected
        self.problem = problem
        self.stamp = stamp
    }
}
