import TandemItems

/// One list's part of the engine.
struct ListSync: Sendable {
    var canPush = false
    var hasPending = false
    var isPushing = false
    /// Whether there was an edit since the push began: what the store said of it may be older.
    private var isEdited = false
    var isPulling = false
    /// What the list held is being made pending again.
    var isOffering = false
    /// It has been, and the list has not been in step since: a hub that says again that histories differ has a fault.
    var hasOffered = false
    /// The last push was met with the word that another store runs under this replica's id; it has a new one since.
    private(set) var hasForked = false
    /// The hub has refused the list since its last hello.
    var isBlocked = false
    /// How far it is pulled; `nil` before the first page.
    var cursor: Version?
    /// Most mutations of the next push.
    var pushLimit: Int
    /// The latest sequence that is known of. It may go back: a restored hub has a shorter history.
    private var head = Version.none
    /// The latest heads that came in since the last hello and the last pull were asked for: either may answer with an
    /// earlier one.
    private var headSinceHello = Version.none
    private var headSincePull = Version.none

    init(_ tuning: SyncTuning) { pushLimit = tuning.pushLimit }

    /// A cursor past the hub's head is no better than one before it: the hub may have lost history, and a pull tells.
    var isCaughtUp: Bool { cursor == head }
    var lag: Int64 { max(0, head.number - (cursor ?? .none).number) }
    var shallPush: Bool { hasPending && canPush && !isPushing && !isBlocked && !isOffering }
    var shallPull: Bool { !isCaughtUp && !isPulling && !isBlocked && !isOffering }
    var isDone: Bool { isCaughtUp && !hasPending && !isBusy }
    /// Nothing is under way, and the token's rights keep something from being.
    var isStuck: Bool { !isBusy && (isBlocked || (isCaughtUp && hasPending && !canPush)) }
    private var isBusy: Bool { isPushing || isPulling || isOffering }

    func updated(by standing: SyncEngine.Standing) -> ListSync {
        var list = self
        list.canPush = standing.canPush
        // An edit may have come after the store was asked, and the hello may have made items pending again that a push
        // under way knows nothing of; pushing nothing does no harm.
        if standing.hasPending { list.noteEdit() }
        if !isPulling { list.cursor = standing.cursor }
        list.head = max(standing.head, headSinceHello)
        list.headSincePull = max(standing.head, headSincePull)
        list.isBlocked = false
        return list
    }

    mutating func noteEdit() {
        hasPending = true
        isEdited = true
    }

    mutating func beginPush() {
        isPushing = true
        isEdited = false
    }

    mutating func succeeded(_ pushed: SyncEngine.Pushed) {
        hasPending = pushed.hasPending || isEdited
        hasForked = pushed.isForked
        if isDone { hasOffered = false }
    }

    mutating func note(_ head: Version) {
        headSinceHello = max(headSinceHello, head)
        headSincePull = max(headSincePull, head)
        self.head = max(self.head, head)
    }

    mutating func beginHello() { headSinceHello = .none }

    mutating func beginPull() {
        isPulling = true
        headSincePull = .none
    }

    mutating func succeeded(_ pulled: SyncEngine.Pulled) {
        isPulling = false
        cursor = pulled.cursor
        head = max(pulled.head, headSincePull)
        if isDone { hasOffered = false }
    }

    /// Requests that are under way will not be waited for, and what comes next comes after a while.
    mutating func rest() {
        isPushing = false
        isPulling = false
        isOffering = false
        hasOffered = false
    }
}

extension HubError {
    /// The hub's history is not the one that the request speaks of.
    var isOfOtherHistory: Bool { code == .historyDiverged || code == .gone }

    static let forksForEver = HubError(.rejected, "the hub says of every replica id that another store has it")
}
