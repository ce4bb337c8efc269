package import TandemItems

extension SyncEngine {
    /// What has happened.
    package enum Event: Sendable {
        /// The store has a hub: at the start, or from now on.
        case joined
        case left
        /// Edits are pending in a list.
        case edited(ListName)
        /// The machine's network has changed.
        case networkChanged
        /// A person asks for a sync, and is told its end under this number.
        case syncRequested(Int)
        case greeted(Result<[Standing], HubError>)
        case pushed(ListName, Result<Pushed, HubError>)
        case pulled(ListName, Result<Pulled, HubError>)
        /// What the list held is pending again, and its cursor is at the beginning.
        case offeredAgain(ListName)
        case streamOpened
        case told(HubEvent)
        case streamEnded(HubError)
        case fired(Timer)
        /// The store could not take what the hub had sent, or could not give what is to be sent.
        case storeFailed(String)
    }

    /// What is to be done. Each but the timers, the ends and the reports is answered by an event of the same era.
    package enum Action: Hashable, Sendable {
        case greet
        case push(ListName, limit: Int)
        case pull(ListName)
        case openStream
        case closeStream
        /// What is under way is no longer waited for: end it.
        case abandonRequests
        case start(Timer, Duration)
        case stop(Timer)
        /// The first pending mutation is too large for the hub by itself. Answered as a push of one.
        case quarantineFirst(ListName, String)
        /// The hub has lost history: offer again what this replica has.
        case offerAgain(ListName)
        /// Requests for a sync have ended: well, or in an error.
        case report([Int], HubError?)
    }

    package enum Timer: Hashable, Sendable {
        /// Ends the wait after a failure.
        case retry
        /// Ends an interval of polling.
        case poll
        /// Ends the wait before the next event stream.
        case reopen
    }

    /// A list as the hub's hello and the store show it.
    package struct Standing: Hashable, Sendable {
        package var list: ListName
        package var canPush: Bool
        package var hasPending: Bool
        package var cursor: Version?
        package var head: Version

        package init(list: ListName, canPush: Bool, hasPending: Bool, cursor: Version?, head: Version) {
            self.list = list
            self.canPush = canPush
            self.hasPending = hasPending
            self.cursor = cursor
            self.head = head
        }
    }

    /// A push whose answer is in the store.
    package struct Pushed: Hashable, Sendable {
        package var hasPending: Bool
        /// The hub knows mutations of another store under this replica's id; what was pushed has a new id now.
        package var isForked: Bool

        package init(hasPending: Bool, isForked: Bool = false) {
            self.hasPending = hasPending
            self.isForked = isForked
        }
    }

    /// A page that is in the store, or that was left alone since another has come first.
    package struct Pulled: Hashable, Sendable {
        /// Where the list stands in the store; `nil` where it is to be pulled from the beginning.
        package var cursor: Version?
        package var head: Version

        package init(cursor: Version?, head: Version) {
            self.cursor = cursor
            self.head = head
        }
    }
}
