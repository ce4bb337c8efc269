public import TandemItems

/// How a replica stands, as `tandem status` shows it.
public struct StatusReport: Hashable, Sendable {
    /// One list of the replica.
    public struct List: Hashable, Sendable {
        /// The list's name.
        public var name: ListName
        /// What it holds.
        public var kind: ListKind
        /// `reader`, `editor` or `owner`; `nil` where the hub does not have the list or does not show it.
        public var role: String?
        /// Items that are not deleted.
        public var items: Int
        /// Edits that the hub has not yet accepted.
        public var pending: Int
        /// Items with an open conflict.
        public var conflicts: Int
        /// Edits that the hub has refused.
        public var quarantined: Int
        /// Changes on the hub that are known of and not yet here; `nil` where the hub has not shown the list.
        public var lag: Int64?

        /// Makes an entry.
        public init(
            name: ListName, kind: ListKind, role: String?, items: Int, pending: Int, conflicts: Int, quarantined: Int,
            lag: Int64?
        ) {
            self.name = name
            self.kind = kind
            self.role = role
            self.items = items
            self.pending = pending
            self.conflicts = conflicts
            self.quarantined = quarantined
            self.lag = lag
        }
    }

    /// What is wrong and what to do about it.
    public struct Problem: Hashable, Sendable {
        /// For programs.
        public var code: String
        /// What is wrong.
        public var message: String
        /// What to do about it.
        public var hint: String?

        /// Makes a problem.
        public init(code: String, message: String, hint: String?) {
            self.code = code
            self.message = message
            self.hint = hint
        }
    }

    /// `detached`, `starting`, `live`, `polling`, `offline`, `auth-required`, `upgrade-required` or `stalled`.
    public var state: String
    /// This store's replica id.
    public var replica: String
    /// This store's name for people.
    public var name: String
    /// The directory of the store.
    public var store: String
    /// The hub's base URL; `nil` where the store belongs to no hub.
    public var hubAddress: String?
    /// The hub's name for people.
    public var hubName: String?
    /// Whether every shared list is pulled to its known head.
    public var isCaughtUp: Bool
    /// The lists; the first is the default list.
    public var lists: [List]
    /// What is wrong, if anything is.
    public var problem: Problem?
    /// When the hub last answered, in this machine's time.
    public var lastContact: Timestamp?
    /// When the next try begins, in this machine's time.
    public var nextTry: Timestamp?
    /// Hub time less this machine's time, in milliseconds.
    public var clockOffset: Int64
    /// The daemon's version.
    public var version: String

    /// Makes a report.
    public init(
        state: String, replica: String, name: String, store: String, hubAddress: String?, hubName: String?,
        isCaughtUp: Bool, lists: [List], problem: Problem?, lastContact: Timestamp?, nextTry: Timestamp?,
        clockOffset: Int64, version: String
    ) {
        self.state = state
        self.replica = replica
        self.name = name
        self.store = store
        self.hubAddress = hubAddress
        self.hubName = hubName
        self.isCaughtUp = isCaughtUp
        self.lists = lists
        self.problem = problem
        self.lastContact = lastContact
        self.nextTry = nextTry
        self.clockOffset = clockOffset
        self.version = version
    }

    /// Edits in all lists that the hub has not yet accepted.
    public var pending: Int { lists.reduce(0) { $0 + $1.pending } }
    /// Items in all lists with an open conflict.
    public var conflicts: Int { lists.reduce(0) { $0 + $1.conflicts } }
    /// Edits in all lists that the hub has refused.
    public var quarantined: Int { lists.reduce(0) { $0 + $1.quarantined } }
    /// Whether nothing is pending and nothing is known of that is not here.
    public var isSynced: Bool { isCaughtUp && pending == 0 }
}
