package import TandemItems

/// How the sync stands, as the engine and the driver have it at the moment.
package struct SyncStatus: Hashable, Sendable {
    package var state: SyncState
    package var error: HubError?
    /// When the hub last answered, in this machine's time.
    package var lastContact: Timestamp?
    /// When the next try begins, in this machine's time.
    package var nextTry: Timestamp?
    /// Whether every shared list is pulled to its known head.
    package var isCaughtUp: Bool
    /// How many changes of each list that the hub has shown are known of and not yet here.
    package var lag: [ListName: Int64]

    package init(
        state: SyncState = .detached, error: HubError? = nil, lastContact: Timestamp? = nil,
        nextTry: Timestamp? = nil, isCaughtUp: Bool = false, lag: [ListName: Int64] = [:]
    ) {
        self.state = state
        self.error = error
        self.lastContact = lastContact
        self.nextTry = nextTry
        self.isCaughtUp = isCaughtUp
        self.lag = lag
    }
}
