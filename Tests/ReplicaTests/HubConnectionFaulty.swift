import Platform
import Sync
import Synchronization
import TandemItems

/// ``FakeHub`` as one token sees it through a network: faults are put into it by the test.
final class FaultyHub: HubConnection {
    enum Call: Hashable, Sendable { case hello, push, changes, events }

    /// What becomes of a call.
    enum Fault: Hashable, Sendable {
        /// It is not carried out.
        case refused(HubError)
        /// It is carried out, and its answer is lost.
        case lost(HubError)
    }

    private struct Network {
        var isDown = false
        /// Most outcomes of one answer; the rest of a push is left alone.
        var outcomes = Int.max
        var faults: [Call: [Fault]] = [:]
        var counts: [Call: Int] = [:]
        var gates: [Call: CallGate] = [:]
    }

    fileprivate static let token = "the token"

    /// The hub's clock.
    let time = ManualTime()
    private let hub: FakeHubState
    private let network = Mutex(Network())

    init() {
        hub = FakeHubState(epoch: "first", time: time)
        add(.todo)
    }

    // MARK: What tests do to the hub

    func with<Value: Sendable>(_ body: (inout FakeHubState.State) -> Value) -> Value { hub.with(body) }

    var epoch: Epoch { with { $0.epoch } }
    func head(of list: ListName = .todo) -> Version { with { $0.lists[list]?.head ?? .none } }
    func item(_ id: String, in list: ListName = .todo) throws -> Item? {
        let id = try ItemID(id)
        return with { $0.lists[list]?.items[id] }
    }

    /// Items that are not deleted, by id.
    func items(in list: ListName = .todo) -> [Item] {
        with { ($0.lists[list]?.items.values ?? [:].values).filter { !$0.isDeleted }.sorted { $0.id < $1.id } }
    }

    func add(_ list: ListName, role: Role = .editor) {
        hub.add(list)
        with { $0.roles[list] = role }
    }

    func beat() { hub.beat() }

    /// Writes as someone else would, who has seen everything unless a base is given.
    @discardableResult
    func write(
        _ id: String, _ set: FieldMap<JSON>, increments: FieldMap<Int64> = [:], base: Version? = nil,
        at: Int64 = 1_700_000_000_000, by replica: String = "elsewhere", to list: ListName = .todo
    ) throws -> Item? {
        let head = head(of: list)
        let n = head.number + 1_000
        let mutation = Mutation(
            replica: try ReplicaID(replica), n: n, nonce: Nonce(random: UInt64(n)), item: try ItemID(id),
            base: base ?? head, set: set, increments: increments, at: Timestamp(milliseconds: at))
        hub.take([mutation], to: list)
        return try item(id, in: list)
    }

    // MARK: What tests do to the network

    func count(_ call: Call) -> Int { network.withLock { $0.counts[call] ?? 0 } }

    func fail(_ call: Call, _ faults: Fault...) { network.withLock { $0.faults[call, default: []] += faults } }

    /// Faults that are still to come.
    func faults(of call: Call) -> [Fault] { network.withLock { $0.faults[call] ?? [] } }

    func failNoMore() { network.withLock { $0.faults = [:] } }

    func answer(atMost outcomes: Int) { network.withLock { $0.outcomes = outcomes } }

    /// Takes the network away, with every open stream, or gives it back.
    func setDown(_ isDown: Bool) {
        network.withLock { $0.isDown = isDown }
        if isDown { breakStreams(HubError(.interrupted, "cut")) }
    }

    func breakStreams(_ error: HubError) { hub.breakStreams(error) }

    /// Holds the next calls of a kind after they are carried out and before they are answered.
    func hold(_ call: Call) -> CallGate {
        let gate = CallGate()
        network.withLock { $0.gates[call] = gate }
        return gate
    }

    func release(_ call: Call) { network.withLock { $0.gates.removeValue(forKey: call) }?.open() }

    // MARK: HubConnection

    func hello() async throws(HubError) -> Hello {
        try await exchange(.hello) { () throws(HubError) in try hub.hello(Self.token) }
    }

    func push(_ mutations: [Mutation], to list: ListName, seen: Cursor?) async throws(HubError) -> PushAnswer {
        let some = Array(mutations.prefix(network.withLock(\.outcomes)))
        return try await exchange(.push) { () throws(HubError) in
            try hub.push(some, to: list, seen: seen, Self.token)
        }
    }

    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        try await exchange(.changes) { () throws(HubError) in
            try hub.changes(in: list, since: cursor, limit: limit, Self.token)
        }
    }

    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> {
        try await exchange(.events) { () throws(HubError) in try hub.events(Self.token) }
    }

    private func exchange<Value: Sendable>(
        _ call: Call, _ body: () throws(HubError) -> Value
    ) async throws(HubError) -> Value {
        let (isDown, fault, gate) = begin(call)
        guard !isDown else { throw HubError(.unreachable, "down") }
        if case .refused(let error) = fault { throw error }
        let result = Result { () throws(HubError) in try body() }
        if await gate?.pass() == false { throw HubError(.interrupted, "cancelled") }
        let value = try result.get()
        if case .lost(let error) = fault { throw error }
        return value
    }

    private func begin(_ call: Call) -> (isDown: Bool, fault: Fault?, gate: CallGate?) {
        network.withLock { network in
            network.counts[call, default: 0] += 1
            guard !network.isDown else { return (true, nil, nil) }
            let hasFault = network.faults[call]?.isEmpty == false
            return (false, hasFault ? network.faults[call]?.removeFirst() : nil, network.gates[call])
        }
    }
}

extension FakeHubState.State {
    /// The rights of the one token of ``FaultyHub``.
    var roles: [ListName: Role] {
        get { tokens[FaultyHub.token] ?? [:] }
        set { tokens[FaultyHub.token] = newValue }
    }
}
