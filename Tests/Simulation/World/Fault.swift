/// What can go wrong in a schedule, and what people do in it: each can be left out by its name, so that a failing
/// schedule can be made smaller.
package enum Fault: String, CaseIterable, Sendable {
    // Of the network, by message.
    case requestLost, answerLost, doubled, delayed, truncated, turnedAway
    // Of the world, by stimulus.
    case partition, crash, crashInTransaction, hubCrash, hubCrashInTransaction, clockJump
    case hubRestore, hubRestoreNewEpoch, replicaRestore, clone, hiddenClone
    case diskFull, hubDiskFull, commitFailure
    case limits, roleChange, tokenRevoked, listAdded, protocolRaised, unknownMembers
    case leave

    /// Faults after which values may be lost that only the lost copy had, and after which the same number may stand for
    /// two mutations.
    var forgets: Bool {
        switch self {
        case .hubRestore, .hubRestoreNewEpoch, .replicaRestore, .clone, .hiddenClone: true
        default: false
        }
    }
}
