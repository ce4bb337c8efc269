package import Platform
package import TandemItems

/// Carries out what the engine decides: reads from the store, talks to the hub, writes to the store, never two of
/// these at once for one request. One driver runs for a store, as long as ``run()`` does.
package actor SyncDriver {
    /// Why a requested sync did not end well.
    package enum SyncError: Error, Hashable, Sendable {
        case timedOut
        case failed(HubError)
    }

    private let model: CoreModel
    private let connect: @Sendable (Membership, StoreRecord) -> any HubConnection
    private let time: any TimeSource
    private let log: Logger
    private let events: AsyncStream<SyncEngine.Event>
    private let inbox: AsyncStream<SyncEngine.Event>.Continuation
    private var engine: SyncEngine
    private var connection: (any HubConnection)?
    private var timers: [SyncEngine.Timer: Task<Void, Never>] = [:]
    private var stream: Task<Void, Never>?
    private var waiters: [Int: CheckedContinuation<Result<Void, SyncError>, Never>] = [:]
    private var lastRequest = 0
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
        (events, inbox) = AsyncStream.makeStream()
    }

    /// Syncs until the task is cancelled. Throws where the store cannot be read at the start.
    package func run() async throws {
        let record = try await model.record()
        if let membership = record.membership {
            connection = connect(membership, record)
            inbox.yield(.joined)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchEdits() }
            for await event in events {
                if Task.isCancelled { break }
                for action in take(event) {
                    if let request = request(for: action) { group.addTask { await request() } }
                }
            }
            group.cancelAll()
        }
        stop()
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
        let connection = connect(membership, try await model.record())
        let hello = try await connection.hello()
        try await model.join(membership, hello)
        inbox.yield(.left)
        self.connection = connection
        inbox.yield(.joined)
        return hello
    }

    package func leave() async throws {
        try await model.leave()
        connection = nil
        inbox.yield(.left)
    }

    /// The network of the machine has changed: try at once.
    package func networkChanged() { inbox.yield(.networkChanged) }

    /// Asks the hub now and returns once nothing is pending and every list is pulled to its head.
    package func sync(timeout: Duration) async throws(SyncError) {
        lastRequest += 1
        let number = lastRequest
        let timer = Task {  // Ends by itself, or is cancelled below.
            // Cancelled is what it is when the sync ended first.
            guard (try? await time.sleep(for: timeout)) != nil else { return }
            end(number, .failure(.timedOut))
        }
        defer { timer.cancel() }
        let result = await withCheckedContinuation { continuation in
            waiters[number] = continuation
            inbox.yield(.syncRequested(number))
        }
        try result.get()
    }

    private func end(_ number: Int, _ result: Result<Void, SyncError>) {
        waiters.removeValue(forKey: number)?.resume(returning: result)
    }

    private func take(_ event: SyncEngine.Event) -> [SyncEngine.Action] {
        let before = (state: engine.state, error: engine.lastError, isCaughtUp: engine.isCaughtUp)
        let actions = engine.handle(event)
        if engine.isOnline { (lastContact, nextTry) = (Timestamp(milliseconds: time.now), nil) }
        if before.state != engine.state {
            log.notice("sync", ["state": engine.state.rawValue, "error": engine.lastError?.code.rawValue ?? "none"])
        }
        if before != (engine.state, engine.lastError, engine.isCaughtUp) { model.commits.publishStatus() }
        return actions
    }

    private func stop() {
        for timer in timers.values { timer.cancel() }
        timers = [:]
        stream?.cancel()
        for number in waiters.keys { end(number, .failure(.timedOut)) }
    }

    private func watchEdits() async {
        let subscription = model.commits.subscribe()
        defer { model.commits.end(subscription) }
        // What a subscriber missed by falling behind is only that lists have edits: ask all of them.
        while let news = await subscription.next() {
            let edited = news.commits.filter { $0.source == .local }.map(\.list)
            for list in news.fellBehind ? await listNames() : Array(Set(edited)) { inbox.yield(.edited(list)) }
        }
    }

    private func listNames() async -> [ListName] {
        // A store that fails here fails the next request too, which reports it.
        ((try? await model.lists()) ?? []).map(\.list.name)
    }
}

// MARK: Actions

extension SyncDriver {
    /// Does what needs no waiting, and gives the rest as a job of its own.
    private func request(for action: SyncEngine.Action) -> (@Sendable () async -> Void)? {
        switch action {
        case .start(let timer, let duration): start(timer, duration)
        case .stop(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .closeStream:
            stream?.cancel()
            stream = nil
        case .openStream: openStream()
        case .report(let numbers, let error):
            for number in numbers { end(number, error.map { .failure(.failed($0)) } ?? .success(())) }
        case .greet: return request { try await $0.greet($1) }
        case .push(let list, let limit): return request { try await $0.push(list, limit, $1) }
        case .pull(let list): return request { try await $0.pull(list, $1) }
        case .quarantineFirst(let list, let reason): return request { driver, _ in
            try await driver.quarantineFirst(in: list, reason)
        }
        case .offerAgain(let list): return request { driver, _ in
            try await driver.model.offerAgain(list)
            return .offeredAgain(list)
        }
        }
        return nil
    }

    /// A job whose end is an event; a fault of the store is one too.
    private func request(
        _ body: @escaping @Sendable (SyncDriver, any HubConnection) async throws -> SyncEngine.Event
    ) -> (@Sendable () async -> Void)? {
        guard let connection else { return nil }
        return { [inbox, log] in
            do {
                inbox.yield(try await body(self, connection))
            } catch is CancellationError {
                return
            } catch {
                log.error("the store failed", ["error": "\(error)"])
                inbox.yield(.storeFailed("\(error)"))
            }
        }
    }

    private func start(_ timer: SyncEngine.Timer, _ duration: Duration) {
        timers[timer]?.cancel()
        if timer == .retry { nextTry = Timestamp(milliseconds: time.now &+ duration.milliseconds) }
        timers[timer] = Task { [inbox, time] in  // Owned by `timers`; ends by itself or is cancelled there.
            // Cancelled means stopped.
            guard (try? await time.sleep(for: duration)) != nil, !Task.isCancelled else { return }
            inbox.yield(.fired(timer))
        }
    }

    private func openStream() {
        guard let connection else { return }
        stream?.cancel()
        stream = Task { [inbox] in  // Owned by `stream`; ends with the stream or is cancelled there.
            do {
                let events = try await connection.events()
                inbox.yield(.streamOpened)
                for try await event in events { inbox.yield(.told(event)) }
                guard !Task.isCancelled else { return }
                inbox.yield(.streamEnded(HubError(.interrupted, "the hub has ended the event stream")))
            } catch {
                guard !Task.isCancelled else { return }
                inbox.yield(.streamEnded(error as? HubError ?? HubError(.interrupted, "\(error)")))
            }
        }
    }

    private nonisolated func greet(_ connection: any HubConnection) async throws -> SyncEngine.Event {
        let hello: Hello
        do throws(HubError) {
            hello = try await connection.hello()
        } catch {
            return .greeted(.failure(error))
        }
        guard hello.protocols.contains(Hello.protocolVersion) else {
            let message = "the hub speaks protocol \(hello.protocols), this program \(Hello.protocolVersion)"
            return .greeted(.failure(HubError(.upgradeRequired, message)))
        }
        try await model.apply(hello)
        let heads = Dictionary(hello.grants.map { ($0.list, $0.head) }, uniquingKeysWith: max)
        let standings = try await model.lists().compactMap { list, counts in
            heads[list.name].map { head in
                SyncEngine.Standing(
                    list: list.name, canPush: list.role ?? .reader >= .editor, hasPending: counts.pending > 0,
                    cursor: list.cursor?.sequence, head: head)
            }
        }
        return .greeted(.success(standings))
    }

    private nonisolated func push(
        _ list: ListName, _ limit: Int, _ connection: any HubConnection
    ) async throws -> SyncEngine.Event {
        let limits = try await model.record().limits
        let batch = try await model.outgoing(
            in: list, limit: min(limit, limits.batchMutations),
            maximumBytes: max(1, limits.batchBytes - limits.itemBytes - 4_096))
        guard !batch.isEmpty else { return .pushed(list, .success(.init(hasPending: false))) }
        let answer: PushAnswer
        do throws(HubError) {
            answer = try await connection.push(batch, to: list)
        } catch {
            return .pushed(list, .failure(error))
        }
        guard (1...batch.count).contains(answer.outcomes.count) else {
            return .pushed(list, .failure(HubError(.rejected, "the hub's answer has not the outcomes of the push")))
        }
        if try await model.apply(answer, to: batch, in: list) {
            log.warning("another store ran under this replica id; this one has a new id now")
        }
        return .pushed(list, .success(.init(hasPending: try await model.hasPending(in: list))))
    }

    private nonisolated func pull(
        _ list: ListName, _ connection: any HubConnection
    ) async throws -> SyncEngine.Event {
        let cursor = try await model.cursor(of: list)
        let page: ChangesPage
        do throws(HubError) {
            page = try await connection.changes(in: list, since: cursor, limit: 2_000)
        } catch {
            return .pulled(list, .failure(error))
        }
        guard page.cursor.sequence > cursor?.sequence ?? Version(-1) || page.cursor.sequence >= page.head else {
            return .pulled(list, .failure(HubError(.rejected, "the hub's page leads nowhere")))
        }
        guard try await model.apply(page, since: cursor, in: list) else {
            // Another page came first: its end is where the list stands.
            let sequence = try await model.cursor(of: list)?.sequence ?? .none
            return .pulled(list, .success(.init(cursor: sequence, head: page.head)))
        }
        return .pulled(list, .success(.init(cursor: page.cursor.sequence, head: page.head)))
    }

    private nonisolated func quarantineFirst(in list: ListName, _ reason: String) async throws -> SyncEngine.Event {
        if let mutation = try await model.outgoing(in: list, limit: 1, maximumBytes: 1).first {
            try await model.quarantine(mutation, Refusal(code: "too-large", message: reason), in: list)
        }
        return .pushed(list, .success(.init(hasPending: try await model.hasPending(in: list))))
    }
}
