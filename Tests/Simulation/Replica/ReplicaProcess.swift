import Replica
import HTTP
import Platform
import Remote
import Sync
import TandemItems

/// The daemon's process: the real model, engine, requests and remote hub. It stands in for the driver, and carries out
/// what the engine decides as events of the scheduler.
final class ReplicaProcess: @unchecked Sendable {
    /// Whether the task makes edits that someone types.
    @TaskLocal static var isTyping = false

    private unowned let world: World
    unowned let replica: SimulatedReplica
    private(set) var isAlive = true
    private(set) var model: CoreModel!  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var engine: SyncEngine
    private var connection: RemoteHub?
    var exchanges: [Exchange] = []
    /// Joining or leaving: one at a time.
    var isChangingMembership = false
    private var requests: [Int: Task<Void, Never>] = [:]
    private var timers: [SyncEngine.Timer: Int] = [:]
    private var stream: SimulatedStream?
    private var lastNumber = 0
    private var subscription: CommitSubscription?
    private(set) var watcher: CommitWatcher?

    init(_ world: World, _ replica: SimulatedReplica) {
        self.world = world
        self.replica = replica
        let random = SeededRandom(seed: world.random.next())
        engine = SyncEngine(random: random, tuning: world.plan.tuning)
        model = CoreModel(storage: ProcessStorage(world: world, process: self), time: replica.clock, random: random)
    }

    /// Nothing is under way.
    var isIdle: Bool { requests.isEmpty }

    // MARK: Beginning and end

    /// As the daemon does: first it sees whether the store is a copy, then it syncs.
    func start() {
        let machine = replica.machine
        world.spawn { [self] in
            do {
                _ = try await model.settle(machine: machine, path: "/store")
                begin()
                let record = try await model.record()
                if let membership = record.membership {
                    connect(membership, record)
                    feed(.joined)
                }
            } catch {
                // The daemon ends where its store cannot be used, and is started again.
                guard isAlive else { return }
                world.note("replica \(replica.index) does not start: \(error)")
                replica.crash(for: 1_000)
            }
        }
    }

    private func begin() {
        let subscription = model.commits.subscribe()
        let watcher = CommitWatcher(world, replica)
        (self.subscription, self.watcher) = (subscription, watcher)
        world.spawn { [self] in
            while let news = await subscription.next() {
                await world.pause()
                guard isAlive else { return }
                watcher.take(news)
                let edited = news.commits.filter { $0.source == .local }.map(\.list)
                let lists = news.fellBehind ? replica.storage.state.lists().map(\.name) : Array(Set(edited)).sorted()
                for list in lists { feed(.edited(list)) }
            }
        }
    }

    func end() {
        isAlive = false
        if let subscription { model.commits.end(subscription) }
        for exchange in exchanges { exchange.end(.failure(.init(.cancelled, "the process is gone"))) }
        exchanges = []
        stream?.close()
        stream = nil
    }

    func connect(_ membership: Membership, _ record: StoreRecord) {
        connection = RemoteHub(
            SimulatedTransport(world: world, process: self),
            author: .init(token: membership.token, replica: record.replica, name: record.name), time: replica.clock)
    }

    // MARK: Membership

    /// As the driver does: asks who is there, and then changes the membership while no request is under way.
    func join(_ membership: Membership) async throws {
        let hub = RemoteHub(
            SimulatedTransport(world: world, process: self),
            author: .init(token: membership.token, replica: replica.record.replica, name: replica.record.name),
            time: replica.clock)
        let hello = try await HubRequests.hello(hub)
        try await changeMembership { [self] in try await model.join(membership, hello) }
    }

    func leave() async throws {
        try await changeMembership { [self] in try await model.leave() }
    }

    private func changeMembership(_ change: () async throws -> Void) async throws {
        connection = nil
        for request in requests.values { request.cancel() }
        for exchange in exchanges { exchange.end(.failure(.init(.cancelled, "left"))) }
        for request in requests.values { await request.value }
        feed(.left)
        let result: Result<Void, any Error>
        do { result = .success(try await change()) } catch { result = .failure(error) }
        let record = try await model.record()
        if let membership = record.membership {
            connect(membership, record)
            feed(.joined)
        }
        try result.get()
    }

    // MARK: Events and actions

    /// An event on its way to the engine, now.
    func feed(_ event: SyncEngine.Event, of era: Int? = nil) {
        guard isAlive else { return }
        world.note("replica \(replica.index) \(event)")
        let actions = engine.handle(event, of: era ?? engine.era)
        if actions.count > 40 { world.violate(.engine, "\(actions.count) actions at once") }
        for action in actions { carryOut(action) }
    }

    private func carryOut(_ action: SyncEngine.Action) {
        switch action {
        case .start(let timer, let duration): start(timer, duration)
        case .stop(let timer): timers[timer] = nil
        case .openStream: openStream()
        case .closeStream:
            stream?.close()
            stream = nil
        case .abandonRequests: abandonRequests()
        case .report: break
        case .greet, .push, .pull, .quarantineFirst, .offerAgain: request(action)
        }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func start(_ timer: SyncEngine.Timer, _ duration: Duration) {
        let number = nextNumber()
        timers[timer] = number
        world.after(duration.milliseconds) { [self] in
            guard timers[timer] == number else { return }
            timers[timer] = nil
            feed(.fired(timer))
        }
    }

    private func openStream() {
        stream?.close()
        let new = SimulatedStream(world, self, era: engine.era)
        stream = new
        world.after(Int64(1 + world.random.below(10))) { [self] in
            guard isAlive, stream === new else { return }
            world.hub.open(new)
        }
    }

    private func abandonRequests() {
        for request in requests.values { request.cancel() }
        let abandoned = exchanges
        world.after(Int64(world.random.below(3))) {
            for exchange in abandoned { exchange.end(.failure(.init(.cancelled, "abandoned"))) }
        }
    }

    private func request(_ action: SyncEngine.Action) {
        guard let connection else { return }
        let hub = HubRequests(model: model, connection: connection)
        let (number, era) = (nextNumber(), engine.era)
        requests[number] = world.spawn { [self] in
            defer { requests[number] = nil }
            let event: SyncEngine.Event?
            do { event = try await hub.answer(to: action) } catch { event = .storeFailed("\(error)") }
            await world.pause()
            if let event { feed(event, of: era) }
        }
    }
}
