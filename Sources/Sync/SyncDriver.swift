package import Platform
package import TandemItems

/// Carries out what the engine decides. One driver runs for a store, as long as ``run()`` does; it runs once.
package actor SyncDriver {
    /// Why a requested sync did not end well.
    package enum SyncError: Error, Hashable, Sendable {
        case timedOut
        case failed(HubError)
    }

    /// An event on its way to the engine.
    private struct Message: Sendable {
        var event: SyncEngine.Event
        /// The era of the request that it answers.
        var era: Int?
        /// The number of the timer that has fired.
        var timer: Int?
    }

    private let model: CoreModel
    private let connect: @Sendable (Membership, StoreRecord) -> any HubConnection
    private let time: any TimeSource
    private let log: Logger
    private let messages: AsyncStream<Message>
    private let inbox: AsyncStream<Message>.Continuation
    private var engine: SyncEngine
    private var connection: (any HubConnection)?
    private var timers: [SyncEngine.Timer: (number: Int, task: Task<Void, Never>)] = [:]
    private var requests: [Int: Task<Void, Never>] = [:]
    private var stream: Task<Void, Never>?
    private var waiters: [Int: CheckedContinuation<Result<Void, SyncError>, Never>] = [:]
    /// Whether joining or leaving is under way, and who waits to do so too.
    private var isChanging = false
    private var changers: [CheckedContinuation<Void, Never>] = []
    private var hasStopped = false
    private var lastNumber = 0
    private var lastContact: Timestamp?
    private var nextTry: Timestamp?

    package init(
        model: CoreModel, random: any RandomSource = SystemRandom(), tuning: SyncTuning = SyncTuning(),
        time: any TimeSource = SystemTime(), log: Logger = .silent,
        connect: @escaping @Sendable (Membership, StoreRecord) -> any HubConnection
    ) {
        self.model = model
        self.connect = connect
        self.time = time
        self.log = log
        engine = SyncEngine(random: random, tuning: tuning)
        (messages, inbox) = AsyncStream.makeStream()
    }

    /// Syncs until the task is cancelled; then returns once nothing of it is under way any more. Throws where the store
    /// cannot be read at the start.
    package func run() async throws {
        // Before the store is read for the first time: no edit falls between the two.
        let edits = model.commits.subscribe()
        defer { model.commits.end(edits) }
        let record = try await model.record()
        if let membership = record.membership {
            connection = connect(membership, record)
            // At once: whoever has asked for a sync already asks a store that belongs to a hub.
            for action in take(Message(event: .joined)) { carryOut(action) }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch(edits) }
            for await message in messages {
                if Task.isCancelled { break }
                for action in take(message) { carryOut(action) }
            }
            group.cancelAll()
        }
        await stop()
    }

    package var status: SyncStatus {
        get async {
            // A store that cannot be read has said so to whoever asked it; the status is that of the engine alone.
            let lists = (try? await model.lists()) ?? []
            let lag = lists.compactMap { entry in engine.lag(of: entry.list.name).map { (entry.list.name, $0) } }
            return SyncStatus(
                state: engine.state, error: engine.lastError, lastContact: lastContact, nextTry: nextTry,
                isCaughtUp: engine.isCaughtUp, lag: Dictionary(uniqueKeysWithValues: lag))
        }
    }

    /// Joins a hub, once it has answered. Throws ``HubError`` where it does not, ``ModelError`` where the store belongs
    /// to another.
    package func join(_ membership: Membership) async throws -> Hello {
        let hello = try await HubRequests.hello(connect(membership, try await model.record()))
        try await changeMembership { try await model.join(membership, hello) }
        return hello
    }

    package func leave() async throws {
        try await changeMembership { try await model.leave() }
    }

    /// The network of the machine has changed: try at once.
    package func networkChanged() { send(.networkChanged) }

    /// Asks the hub now and returns once nothing is pending and every list is pulled to its head.
    package func sync(timeout: Duration) async throws(SyncError) {
        guard !hasStopped else { throw .timedOut }
        let number = nextNumber()
        let timer = Task {  // Ends by itself, or is cancelled below.
            // Cancelled is what it is when the sync ended first.
            guard (try? await time.sleep(for: timeout)) != nil else { return }
            end(number, .failure(.timedOut))
        }
        defer { timer.cancel() }
        let result = await withCheckedContinuation { continuation in
            waiters[number] = continuation
            send(.syncRequested(number))
        }
        try result.get()
    }

    private func end(_ number: Int, _ result: Result<Void, SyncError>) {
        waiters.removeValue(forKey: number)?.resume(returning: result)
    }

    private func send(_ event: SyncEngine.Event) { inbox.yield(Message(event: event)) }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Changes which hub the store belongs to while no request to the former one is under way: what that one answers
    /// must not be taken for the other's. One change at a time: a second that came in between would leave the driver
    /// with the hub of the first.
    private func changeMembership(_ change: () async throws -> Void) async throws {
        await beginChange()
        defer { endChange() }
        connection = nil
        await endRequests()
        send(.left)
        let result: Result<Void, any Error>
        do { result = .success(try await change()) } catch { result = .failure(error) }
        let record = try await model.record()
        if let membership = record.membership {
            connection = connect(membership, record)
            send(.joined)
        }
        try result.get()
    }

    private func beginChange() async {
        guard isChanging else { return isChanging = true }
        await withCheckedContinuation { changers.append($0) }
    }

    private func endChange() {
        guard changers.isEmpty else { return changers.removeFirst().resume() }
        isChanging = false
    }

    private func take(_ message: Message) -> [SyncEngine.Action] {
        if case .fired(let timer) = message.event {
            // Stopped, or begun anew, while this message was on its way.
            guard timers[timer]?.number == message.timer else { return [] }
            timers[timer] = nil
        }
        let before = (state: engine.state, error: engine.lastError, isCaughtUp: engine.isCaughtUp)
        let actions = engine.handle(message.event, of: message.era ?? engine.era)
        if message.event.isContact { lastContact = Timestamp(milliseconds: time.now) }
        if before.state != engine.state {
            log.notice("sync", ["state": engine.state.rawValue, "error": engine.lastError?.code.rawValue ?? "none"])
        }
        if before != (engine.state, engine.lastError, engine.isCaughtUp) { model.commits.publishStatus() }
        return actions
    }

    private func stop() async {
        hasStopped = true
        for timer in timers.values { timer.task.cancel() }
        stream?.cancel()
        for number in waiters.keys { end(number, .failure(.timedOut)) }
        await endRequests()
        for timer in timers.values { await timer.task.value }
        await stream?.value
        (timers, stream) = ([:], nil)
    }

    private func watch(_ edits: CommitSubscription) async {
        // What a subscriber missed by falling behind is only that lists have edits: ask all of them.
        while let news = await edits.next() {
            let edited = news.commits.filter { $0.source == .local }.map(\.list)
            for list in news.fellBehind ? await listNames() : Array(Set(edited)) { send(.edited(list)) }
        }
    }

    private func listNames() async -> [ListName] {
        // A store that fails here fails the next request too, which reports it.
        ((try? await model.lists()) ?? []).map(\.list.name)
    }
}

// MARK: Actions

extension SyncDriver {
    private func carryOut(_ action: SyncEngine.Action) {
        switch action {
        case .start(let timer, let duration): start(timer, duration)
        case .stop(let timer): stop(timer)
        case .openStream: openStream()
        case .closeStream:
            stream?.cancel()
            stream = nil
        case .abandonRequests: for request in requests.values { request.cancel() }
        case .report(let numbers, let error):
            for number in numbers { end(number, error.map { .failure(.failed($0)) } ?? .success(())) }
        case .greet, .push, .pull, .quarantineFirst, .offerAgain: request(action)
        }
    }

    /// Begins a request; its end is an event, and a fault of the store is one too.
    private func request(_ action: SyncEngine.Action) {
        guard let connection else { return }
        let hub = HubRequests(model: model, connection: connection, log: log)
        let (number, era) = (nextNumber(), engine.era)
        requests[number] = Task { [inbox, log] in  // Owned by `requests`; ends by itself or is cancelled there.
            defer { requests[number] = nil }
            do {
                guard let event = try await hub.answer(to: action) else { return }
                inbox.yield(Message(event: event, era: era))
            } catch {
                log.error("the store failed", ["error": "\(error)"])
                inbox.yield(Message(event: .storeFailed("\(error)"), era: era))
            }
        }
    }

    private func endRequests() async {
        for request in requests.values { request.cancel() }
        for request in requests.values { await request.value }
    }

    private func start(_ timer: SyncEngine.Timer, _ duration: Duration) {
        stop(timer)
        if timer == .retry { nextTry = Timestamp(milliseconds: time.now &+ duration.milliseconds) }
        let number = nextNumber()
        let task = Task { [inbox, time] in  // Owned by `timers`; ends by itself or is cancelled there.
            // Cancelled means stopped.
            guard (try? await time.sleep(for: duration)) != nil else { return }
            inbox.yield(Message(event: .fired(timer), timer: number))
        }
        timers[timer] = (number: number, task: task)
    }

    private func stop(_ timer: SyncEngine.Timer) {
        timers.removeValue(forKey: timer)?.task.cancel()
        if timer == .retry { nextTry = nil }
    }

    private func openStream() {
        guard let connection else { return }
        stream?.cancel()
        stream = Task { [inbox, era = engine.era] in  // Owned by `stream`; ends with the stream or is cancelled there.
            let end: HubError
            do {
                let events = try await connection.events()
                inbox.yield(Message(event: .streamOpened, era: era))
                for try await event in events { inbox.yield(Message(event: .told(event), era: era)) }
                end = HubError(.interrupted, "the hub has ended the event stream")
            } catch {
                end = error as? HubError ?? HubError(.interrupted, "\(error)")
            }
            inbox.yield(Message(event: .streamEnded(end), era: era))
        }
    }
}

extension SyncEngine.Event {
    /// Whether the hub has answered or spoken.
    fileprivate var isContact: Bool {
        switch self {
        case .greeted(.success), .pushed(_, .success), .pulled(_, .success), .streamOpened, .told: true
        default: false
        }
    }
}
