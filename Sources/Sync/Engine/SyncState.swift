/// Where a replica stands with its hub. Each state says how it is entered and left.
package enum SyncState: String, Hashable, Sendable {
    /// The store belongs to no hub. Left by joining.
    case detached
    /// The hub was asked who it is. Entered at the start, after a retry's wait and by waking; left by its answer.
    case starting
    /// Changes come as they happen: the event stream is open. Left when it breaks.
    case live
    /// The hub answers, but no event stream holds: the lists are asked for at intervals. Left when a stream opens.
    case polling
    /// The hub could not be reached. Left after a wait, or at once by an edit, a change of the network or a person.
    case offline
    /// The hub does not take the token. Left by a person: waking asks once more, joining again replaces the token.
    case authRequired = "auth-required"
    /// One end is too old for the other. Left by waking, after an upgrade.
    case upgradeRequired = "upgrade-required"
    /// The hub answers and something keeps the edits from it. Left by waking, or by the next answer that succeeds.
    case stalled
}
