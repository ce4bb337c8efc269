package import Platform
package import TandemItems

/// The sync engine: events in, actions out. Holds no clock, no store and no connection, so that every order of events
/// can be played to it.
///
/// Per list at most one push and one pull are under way. They may overlap: a page and an answer to a push commute,
/// since an item is taken over only if its version is greater, and an answer never moves a cursor. Going offline and
/// leaving abandon what is under way and begin another ``era``; answers of an earlier one are dropped, since the hello
/// of the next begins with what the store holds.
package struct SyncEngine: Sendable {
    package private(set) var state: SyncState = .detached
    /// What went wrong last, since the hub's last hello.
    package private(set) var lastError: HubError?
    /// The wait before the next try, counted from the event that began it; `nil` where none is planned.
    package private(set) var retryDelay: Duration?
    /// Which requests are waited for: those of this era.
    package private(set) var era = 0

    /// What may fail again and again while other requests succeed.
    private enum Request: Hashable, Sendable { case greet, push(ListName), pull(ListName), store }
    private enum Stream: Sendable { case closed, opening, open, held }

    private let tuning: SyncTuning
    private let random: any RandomSource
    private var lists: [ListName: ListSync] = [:]
    private var stream = Stream.closed
    /// Whether the hub has said a word on the stream.
    private var hasSpoken = false
    /// Streams in a row that ended without a word, and that ended at all before their first heartbeat.
    private var muteStreams = 0
    private var shortStreams = 0
    /// Failures in a row, and what has failed and not succeeded since: a hello that succeeds every time says nothing of
    /// a push that fails every time.
    private var failures = 0
    private var failing: Set<Request> = []
    /// Lists that were edited before the hub has said whether it has them.
    private var editedUnasked: Set<ListName> = []
    private var isGreeting = false
    private var mustGreetAgain = false
    private var hasRetriedToken = false
    private var hasHastened = false
    /// Whether the try that is under way, or about to be, did not wait its turn: its failure says nothing of how long
    /// the hub has been away, and must not lengthen the wait.
    private var isOutOfTurn = false
    private var waiting: [Int] = []

    package init(random: any RandomSource, tuning: SyncTuning = SyncTuning()) {
        self.random = random
        self.tuning = tuning
    }

    /// Whether the hub has answered and nothing keeps requests back.
    package var isOnline: Bool { state == .live || state == .polling }

    /// Whether every shared list is pulled to its known head.
    package var isCaughtUp: Bool { isOnline && lists.values.allSatisfy(\.isCaughtUp) }

    /// How many changes of a list are known of and not pulled; `nil` for a list that the hub has not shown.
    package func lag(of list: ListName) -> Int64? { lists[list]?.lag }

    /// Takes the answer to an action of an era.
    package mutating func handle(_ event: Event, of era: Int) -> [Action] {
        era == self.era ? handle(event) : []
    }

    /// Takes an event and says what is to be done, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .joined: greet()
        case .left: leave()
        case .edited(let list): edited(list)
        case .networkChanged: networkChanged()
        case .syncRequested(let number): request(number)
        case .greeted(.success(let standings)): welcome(standings)
        case .greeted(.failure(let error)): turnedAway(error)
        case .pushed(let list, let result): pushed(list, result)
        case .pulled(let list, let result): pulled(list, result)
        case .offeredAgain(let list): offeredAgain(list)
        case .streamOpened: streamOpened()
        case .told(let event): told(event)
        case .streamEnded(let error): streamEnded(error)
        case .fired(let timer): fired(timer)
        case .storeFailed(let message): storeFailed(message)
        }
    }
}

// MARK: Coming and going

extension SyncEngine {
    private mutating func greet() -> [Action] {
        guard !isGreeting else { return [] }
        isGreeting = true
        retryDelay = nil
        if !isOnline { state = .starting }
        for list in lists.keys { lists[list]?.beginHello() }
        return [.stop(.retry), .greet]
    }

    private mutating func welcome(_ standings: [Standing]) -> [Action] {
        guard isGreeting else { return [] }
        isGreeting = false
        hasHastened = false
        isOutOfTurn = false
        lastError = nil
        succeeded(.greet)
        let known = lists
        lists = [:]
        for standing in standings {
            var list = (known[standing.list] ?? ListSync(tuning)).updated(by: standing)
            if editedUnasked.contains(standing.list) { list.noteEdit() }
            lists[standing.list] = list
        }
        editedUnasked = []
        state = stream == .open ? .live : .polling
        if mustGreetAgain {
            mustGreetAgain = false
            return openStream() + greet()
        }
        return openStream() + pumpAll()
    }

    private mutating func turnedAway(_ error: HubError) -> [Action] {
        guard isGreeting else { return [] }
        isGreeting = false
        return failed(error, .greet)
    }

    private mutating func leave() -> [Action] {
        let reports = endWaiting(HubError(.unreachable, "the store has left its hub"))
        let next = era + 1
        self = SyncEngine(random: random, tuning: tuning)
        era = next
        return [.abandonRequests, .closeStream, .stop(.retry), .stop(.poll), .stop(.reopen)] + reports
    }

    private mutating func request(_ number: Int) -> [Action] {
        guard state != .detached else { return [.report([number], HubError(.unreachable, "this store has no hub"))] }
        waiting.append(number)
        hasRetriedToken = false
        mustGreetAgain = isGreeting
        if !isOnline, !isGreeting { isOutOfTurn = true }
        return greet()
    }

    private mutating func networkChanged() -> [Action] {
        guard state == .offline || state == .stalled else { return [] }
        isOutOfTurn = true
        return greet()
    }

    private mutating func failed(_ error: HubError, _ request: Request) -> [Action] {
        failing.insert(request)
        switch error.code {
        // The hello that is under way will tell.
        case .unauthorized where isGreeting: return []
        case .unauthorized where !hasRetriedToken:
            hasRetriedToken = true
            return greet()
        case .unauthorized: return goOffline(error, .authRequired)
        case .upgradeRequired: return goOffline(error, .upgradeRequired)
        case .rejected, .notAHub, .insecure, .forbidden, .noSuchList: return goOffline(error, .stalled)
        default: return goOffline(error, .offline)
        }
    }

    private mutating func storeFailed(_ message: String) -> [Action] {
        failing.insert(.store)
        return goOffline(HubError(.failed, message), .stalled)
    }

    private mutating func succeeded(_ request: Request) {
        failing.remove(request)
        if failing.isEmpty { recovered() }
    }

    private mutating func recovered() {
        failing = []
        failures = 0
        hasRetriedToken = false
    }

    private mutating func goOffline(_ error: HubError, _ state: SyncState) -> [Action] {
        guard self.state != .detached else { return [] }
        self.state = state
        lastError = error
        era += 1
        stream = .closed
        isGreeting = false
        mustGreetAgain = false
        hasHastened = false
        if !isOutOfTurn || failures == 0 { failures += 1 }
        isOutOfTurn = false
        for list in lists.keys { lists[list]?.rest() }
        var actions: [Action] = [.abandonRequests, .closeStream, .stop(.poll), .stop(.reopen)]
        if state == .offline || state == .stalled {
            let delay = max(error.retryAfter ?? .zero, tuning.backoff(failures, random.next()))
            retryDelay = delay
            actions.append(.start(.retry, delay))
        }
        return actions + endWaiting(error)
    }

    private mutating func fired(_ timer: Timer) -> [Action] {
        switch timer {
        case .retry: return isOnline || state == .detached ? [] : greet()
        case .poll: return isOnline ? greet() : []
        case .reopen:
            guard stream == .held else { return [] }
            stream = .closed
            if muteStreams >= tuning.muteStreams { muteStreams = 0 }
            return isOnline ? openStream() : []
        }
    }

    private mutating func endWaiting(_ error: HubError?) -> [Action] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return [.report(waiting, error)]
    }
}

// MARK: The event stream

extension SyncEngine {
    private mutating func openStream() -> [Action] {
        let poll: [Action] = state == .polling ? [.start(.poll, tuning.poll)] : []
        guard stream == .closed else { return poll }
        stream = .opening
        hasSpoken = false
        return [.openStream] + poll
    }

    private mutating func streamOpened() -> [Action] {
        guard stream == .opening else { return [] }
        stream = .open
        guard state == .polling else { return [] }
        state = .live
        // A list that the hub has refused is asked for again at the poll.
        return lists.values.contains(where: \.isBlocked) ? [] : [.stop(.poll)]
    }

    private mutating func told(_ event: HubEvent) -> [Action] {
        hasSpoken = true
        switch event {
        case .heartbeat:
            shortStreams = 0
            return []
        case .head(let list, let head):
            // A list that came to the token after the hello: the next one says what may be done with it.
            guard lists[list] != nil else { return isOnline ? greet() : [] }
            lists[list]?.note(head)
            return pump(list)
        }
    }

    /// The first break is met with a hello at once: the hub may be gone, or the token's rights may have changed.
    /// Streams that keep breaking are opened at growing intervals; mute ones are given up for a while.
    private mutating func streamEnded(_ error: HubError) -> [Action] {
        guard stream == .opening || stream == .open else { return [] }
        muteStreams = hasSpoken ? 0 : muteStreams + 1
        shortStreams += 1
        stream = .held
        if state == .live { state = .polling }
        guard isOnline else {
            stream = .closed
            return []
        }
        let isMute = muteStreams >= tuning.muteStreams
        let delay = isMute ? tuning.reopen : shortStreams == 1 ? .zero : tuning.backoff(shortStreams, random.next())
        return greet() + [.start(.reopen, delay), .start(.poll, tuning.poll)]
    }
}

// MARK: Lists

extension SyncEngine {
    private mutating func edited(_ list: ListName) -> [Action] {
        guard state != .detached else { return [] }
        if lists[list] == nil, !isOnline || isGreeting { editedUnasked.insert(list) }
        lists[list]?.noteEdit()
        if isOnline { return pump(list) }
        // One early try for an edit; further edits wait with it, so that typing is no storm of requests. A hub that has
        // said when to ask again is not asked before.
        guard state == .offline, !hasHastened, lastError?.retryAfter == nil else { return [] }
        hasHastened = true
        isOutOfTurn = true
        retryDelay = tuning.hastenedRetry
        return [.start(.retry, tuning.hastenedRetry)]
    }

    private mutating func pushed(_ list: ListName, _ result: Result<Pushed, HubError>) -> [Action] {
        guard var sync = lists[list], sync.isPushing else { return [] }
        sync.isPushing = false
        switch result {
        case .success(let pushed) where pushed.isForked && sync.hasForked:
            lists[list] = sync
            return failed(.forksForEver, .push(list))
        case .success(let pushed):
            succeeded(.push(list))
            sync.succeeded(pushed)
            sync.pushLimit = min(tuning.pushLimit, sync.pushLimit * 2)
            lists[list] = sync
            return pump(list)
        case .failure(let error) where error.code == .tooLarge:
            let limit = sync.pushLimit
            sync.pushLimit = max(1, limit / 2)
            sync.isPushing = limit == 1
            lists[list] = sync
            return limit == 1 ? [.quarantineFirst(list, error.message)] : pump(list)
        case .failure(let error) where error.isOfOtherHistory && !sync.hasOffered:
            lists[list] = sync
            return offerAgain(list)
        case .failure(let error):
            lists[list] = sync
            return failed(error, .push(list), in: list)
        }
    }

    private mutating func pulled(_ list: ListName, _ result: Result<Pulled, HubError>) -> [Action] {
        guard var sync = lists[list], sync.isPulling else { return [] }
        switch result {
        case .success(let pulled):
            succeeded(.pull(list))
            sync.succeeded(pulled)
            lists[list] = sync
            return pump(list)
        case .failure(let error) where error.isOfOtherHistory && !sync.hasOffered && sync.cursor != nil:
            sync.isPulling = false
            lists[list] = sync
            return offerAgain(list)
        case .failure(let error):
            sync.isPulling = false
            lists[list] = sync
            return failed(error, .pull(list), in: list)
        }
    }

    private mutating func offerAgain(_ list: ListName) -> [Action] {
        guard lists[list]?.isOffering == false else { return [] }
        lists[list]?.isOffering = true
        lists[list]?.hasOffered = true
        return [.offerAgain(list)]
    }

    private mutating func offeredAgain(_ list: ListName) -> [Action] {
        guard var sync = lists[list] else { return [] }
        sync.isOffering = false
        sync.cursor = nil
        sync.noteEdit()
        lists[list] = sync
        return pump(list)
    }

    /// The token's rights on a list have changed: its edits stay, the other lists flow on, and the next hello says
    /// what is allowed now.
    private mutating func failed(_ error: HubError, _ request: Request, in list: ListName) -> [Action] {
        guard error.code == .forbidden || error.code == .noSuchList else { return failed(error, request) }
        lists[list]?.isBlocked = true
        lastError = error
        let settled = endIfSettled()
        return [.start(.poll, tuning.poll)] + settled
    }

    private mutating func pumpAll() -> [Action] {
        var actions: [Action] = []
        for list in lists.keys.sorted() { actions += startRequests(list) }
        return actions + endIfSettled()
    }

    private mutating func pump(_ list: ListName) -> [Action] {
        guard isOnline else { return [] }
        return startRequests(list) + endIfSettled()
    }

    private mutating func startRequests(_ list: ListName) -> [Action] {
        guard var sync = lists[list] else { return [] }
        var actions: [Action] = []
        if sync.shallPush {
            sync.beginPush()
            actions.append(.push(list, limit: sync.pushLimit))
        }
        if sync.shallPull {
            sync.beginPull()
            actions.append(.pull(list))
        }
        lists[list] = sync
        return actions
    }

    /// Requests for a sync end once every list rests: done, or kept back by the token's rights.
    private mutating func endIfSettled() -> [Action] {
        guard isOnline, !isGreeting, lists.values.allSatisfy({ $0.isDone || $0.isStuck }) else { return [] }
        recovered()
        guard let stuck = lists.filter(\.value.isStuck).min(by: { $0.key < $1.key }) else { return endWaiting(nil) }
        let rights = HubError(.forbidden, "this machine's token may not push the edits of the list '\(stuck.key)'")
        return endWaiting(stuck.value.isBlocked ? lastError ?? rights : rights)
    }
}
