import HTTP
import Hub
import HubStore
import Platform
import Sync
import TandemItems

/// The hub's machine: its store, which outlives its process, the real service in it, and the event streams.
final class SimulatedHub: @unchecked Sendable {
    /// A store as it was, with what the oracle knew of it.
    struct Copy {
        let state: MemoryHubState
        let view: Oracle.HubView
    }

    private unowned let world: World
    let storage: SimulatedHubStorage
    let clock: SimulatedClock
    private var service: HubService?
    /// Counts the processes that have run.
    private(set) var life = 0
    private(set) var isUp = false
    var copies: [Copy] = []
    var configuration: HubConfiguration
    private var streams: [SimulatedStream] = []
    private var told: [ListName: Version] = [:]

    init(_ world: World) {
        self.world = world
        clock = SimulatedClock(world, offset: world.plan.hubOffset)
        configuration = world.plan.hubConfiguration
        storage = SimulatedHubStorage(world, MemoryHubState(epoch: Epoch("epoch1")))
        for list in world.plan.firstLists { storage.state.addList(list) }
        for index in 0..<world.plan.replicaCount { storage.state.putToken(index, lists: world.plan.firstLists) }
    }

    func start() {
        guard !isUp else { return }
        world.note("hub starts")
        let (storage, configuration, clock) = (storage, configuration, clock)
        world.runAtOnce { [self] in
            do {
                service = try await HubService(storage: storage, configuration: configuration, time: clock)
                isUp = true
            } catch {
                world.violate(.opens, "the hub does not start: \(error)")
            }
        }
        told = storage.state.lists.mapValues(\.list.head)
    }

    func crash(for milliseconds: Int64) {
        guard isUp else { return }
        world.note("hub crashes")
        isUp = false
        life += 1
        service = nil
        for stream in streams { stream.breakLater() }
        streams = []
        world.after(milliseconds) { [self] in start() }
    }

    /// Answers a request; `nil` where the process ends first.
    func handle(_ request: Request, _ completion: @escaping (Response?) -> Void) {
        guard let service else { return completion(nil) }
        let (life, box) = (life, Completion(completion))
        world.spawn { [self] in
            let response = await service.respond(to: request)
            world.note(
                "hub answers \(request.method.rawValue) \(request.target) \(response.status.code) "
                    + (request.method == .post ? String(decoding: request.body, as: UTF8.self) + " " : "")
                    + (response.status == .ok && request.method == .get
                        ? "" : String(decoding: response.bytes, as: UTF8.self)))
            box.call(self.life == life ? response : nil)
        }
    }

    private struct Completion: @unchecked Sendable {
        let call: (Response?) -> Void
        init(_ call: @escaping (Response?) -> Void) { self.call = call }
    }

    func reconfigure(_ configuration: HubConfiguration) {
        self.configuration = configuration
        service?.reconfigure(configuration)
    }

    // MARK: Copies

    func backUp() {
        world.note("hub is backed up at \(storage.state.lists.values.map(\.list.head))")
        copies.append(Copy(state: storage.state, view: world.oracle.hub))
    }

    /// An older copy takes the place of the store while the process is away.
    func restore(_ copy: Copy, epoch: Epoch?) {
        crash(for: Int64(10 + world.random.below(3_000)))
        let tokens = storage.state.tokens
        storage.state = copy.state
        storage.state.tokens = tokens
        if let epoch { storage.state.epoch = epoch }
        world.note("hub is restored to \(storage.state.lists.values.map(\.list.head)) epoch \(storage.state.epoch)")
        world.oracle.hub = copy.view
        world.oracle.noteLosses(world)
    }

    // MARK: Event streams

    /// Opens a stream for a process, as a request that takes its time.
    func open(_ stream: SimulatedStream) {
        guard isUp, !world.network.isCut(stream.process.replica) else {
            return stream.end(HubError(.unreachable, "simulated"), after: 5)
        }
        guard let token = storage.state.token(of: stream.process.replica.tokenIndex), !token.isRevoked else {
            return stream.end(HubError(.unauthorized, "simulated"), after: 5)
        }
        streams.append(stream)
        stream.token = token
        stream.deliver(nil)
        for list in token.lists {
            if let head = storage.state.lists[list]?.list.head { stream.deliver(.head(list, head)) }
        }
        beat(stream)
    }

    private func beat(_ stream: SimulatedStream) {
        world.after(15_000) { [self] in
            guard streams.contains(where: { $0 === stream }), stream.process.isAlive else { return }
            guard storage.state.token(of: stream.process.replica.tokenIndex) == stream.token else {
                streams.removeAll { $0 === stream }
                return stream.end(HubError(.interrupted, "the rights have changed"), after: 1)
            }
            stream.deliver(.heartbeat)
            beat(stream)
        }
    }

    func close(_ stream: SimulatedStream) { streams.removeAll { $0 === stream } }

    /// Tells the streams of new heads.
    func announce() {
        for (name, list) in storage.state.lists.sorted(by: { $0.key < $1.key }) where told[name] != list.list.head {
            told[name] = list.list.head
            for stream in streams where stream.token?.lists.contains(name) ?? false {
                stream.deliver(.head(name, list.list.head))
            }
        }
    }
}

extension MemoryHubState {
    mutating func addList(_ name: ListName) {
        let session = MemoryHubSession(self)
        // A free name; what else could fail is a fault of the simulator, which its checks find.
        try? session.add(HubList(name: name, kind: .todo))
        self = session.state
    }

    mutating func putToken(_ index: Int, lists: [ListName]) {
        tokens[Array("r\(index)".utf8)] = TokenRecord(
            name: "r\(index)", hash: TokenSecret.hash("tdm_r\(index)"), role: .editor, lists: lists,
            created: Timestamp(milliseconds: 0))
    }

    func token(of index: Int) -> TokenRecord? { tokens[Array("r\(index)".utf8)] }

    mutating func changeToken(_ index: Int, _ change: (inout TokenRecord) -> Void) {
        guard var token = token(of: index) else { return }
        change(&token)
        tokens[Array("r\(index)".utf8)] = token
    }
}
