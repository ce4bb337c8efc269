/// A promise that a schedule broke.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The design's invariants, and what else must not happen.
    package enum Rule: String, Sendable {
        case converged = "I1"
        case gapless = "I2"
        case exactlyOnce = "I3"
        case nothingLost = "I4"
        case absenceNeverDeletes = "I5"
        case cursorBehindRows = "I6"
        case noTransactionAcrossNetwork = "I7"
        case notifiedIsCommitted = "I8"
        case live = "I9"
        case opens = "I11"
        case firstSyncIsSmall = "I12"
        case falseConflict = "false-conflict"
        case engine
    }

    package var rule: Rule
    package var message: String

    init(_ rule: Rule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    package var description: String { "\(rule.rawValue): \(message)" }
}
