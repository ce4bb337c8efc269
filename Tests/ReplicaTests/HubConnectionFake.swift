import Dispatch
import Platform
import Sync
import Synchronization
import TandemItems

/// A hub in memory that obeys the real rules: it merges by the merge rule, keeps a ledger, allocates sequences without
/// gaps, and leaves tombstones out of a first sync. Held to the same suite as the hub over HTTP (`HubConnectionTests`).
///
/// A value is one token's view of the hub; views share it. ``FaultyHub`` adds what the network can do to an exchange.
struct FakeHub: HubConnection {
    let hub: FakeHubState
    /// The token's name; tokens are made by ``FakeHubState/grant(_:_:)``.
    let token: String

    init(_ hub: FakeHubState, token: String) {
        self.hub = hub
        self.token = token
    }

    func hello() async throws(HubError) -> Hello { try hub.hello(token) }

    func push(_ mutations: [Mutation], to list: ListName, seen: Cursor?) async throws(HubError) -> PushAnswer {
        try hub.push(mutations, to: list, seen: seen, token)
    }

    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        try hub.changes(in: list, since: cursor, limit: limit, token)
    }

    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> { try hub.events(token) }
}

/// The hub that the views of ``FakeHub`` share.
final class FakeHubState: Sendable {
    struct State: Sendable {
        var epoch: Epoch
        var limits: Limits
        var protocols = 1...1
        var lists: [ListName: FakeList] = [:]
        var tokens: [String: [ListName: Role]] = [:]
        var streams: [Int: (token: String, continuation: AsyncThrowingStream<HubEvent, any Error>.Continuation)] = [:]
        var lastStream = 0
    }

    private let time: any TimeSource
    private let state: Mutex<State>

    init(epoch: String = "epoch-1", limits: Limits = Limits(), time: any TimeSource) {
        self.time = time
        state = Mutex(State(epoch: Epoch(epoch), limits: limits))
    }

    /// Lends what the hub holds, to look at and to change: a restore is another epoch and earlier lists.
    func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    func add(_ list: ListName, kind: ListKind = .todo) { with { $0.lists[list] = FakeList(kind: kind) } }

    /// Makes a token, or changes its rights; one without rights is unknown.
    func grant(_ token: String, _ roles: [ListName: Role]) {
        with { $0.tokens[token] = roles.isEmpty ? nil : roles }
    }

    /// A sign of life on every stream; those whose token has lost its rights end.
    func beat() {
        let ended = with { state in
            for stream in state.streams.values where state.tokens[stream.token] != nil {
                stream.continuation.yield(.heartbeat)
            }
            return state.streams.values.filter { state.tokens[$0.token] == nil }
        }
        for stream in ended { stream.continuation.finish() }  // which calls `close`, so not under the lock
    }

    /// Breaks every stream off.
    func breakStreams(_ error: HubError) {
        let streams = with { state in
            defer { state.streams = [:] }
            return state.streams
        }
        for stream in streams.values { stream.continuation.finish(throwing: error) }
    }

    func hello(_ token: String) throws(HubError) -> Hello {
        try attempt { state throws(HubError) in
            let grants = try state.roles(of: token).compactMap { name, role in
                state.lists[name].map { Grant(list: name, kind: $0.kind, role: role, head: $0.head) }
            }
            return Hello(
                name: "a hub", epoch: state.epoch, protocols: state.protocols, limits: state.limits,
                grants: grants.sorted { $0.list < $1.list }, time: Timestamp(milliseconds: time.now), writers: [:])
        }
    }

    func push(
        _ mutations: [Mutation], to name: ListName, seen: Cursor?, _ token: String
    ) throws(HubError) -> PushAnswer {
        try attempt { state throws(HubError) in
            let list = try state.list(name, for: token, as: .editor)
            guard mutations.count <= state.limits.batchMutations else {
                throw HubError(.tooLarge, "too many mutations")
            }
            if let seen { try list.check(seen, epoch: state.epoch) }
            return take(mutations, to: name, list, &state)
        }
    }

    /// Takes mutations whoever sends them, and tells the streams.
    func take(_ mutations: [Mutation], to name: ListName) {
        with { state in
            guard let list = state.lists[name] else { return }
            _ = take(mutations, to: name, list, &state)
        }
    }

    private func take(
        _ mutations: [Mutation], to name: ListName, _ before: FakeList, _ state: inout State
    ) -> PushAnswer {
        var list = before
        var answer = list.push(mutations, limits: state.limits, now: Timestamp(milliseconds: time.now))
        answer.seen = Cursor(epoch: state.epoch, sequence: list.head, digest: list.digest)
        state.lists[name] = list
        guard list.head > before.head else { return answer }
        for stream in state.streams.values where state.tokens[stream.token]?[name] != nil {
            stream.continuation.yield(.head(name, list.head))
        }
        return answer
    }

    func changes(
        in name: ListName, since cursor: Cursor?, limit: Int, _ token: String
    ) throws(HubError) -> ChangesPage {
        try attempt { state throws(HubError) in
            let list = try state.list(name, for: token, as: .reader)
            return try list.page(since: cursor, limit: limit, epoch: state.epoch)
        }
    }

    func events(_ token: String) throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> {
        try attempt { state throws(HubError) in
            let roles = try state.roles(of: token)
            let (stream, continuation) = AsyncThrowingStream<HubEvent, any Error>.makeStream()
            state.lastStream += 1
            let number = state.lastStream
            state.streams[number] = (token, continuation)
            // Later: a task that is cancelled holds its own lock here, and may be woken just now under this hub's.
            continuation.onTermination = { [weak self] _ in
                DispatchQueue.global().async { self?.close(number) }
            }
            for name in roles.keys.sorted() {
                if let list = state.lists[name] { continuation.yield(.head(name, list.head)) }
            }
            return stream
        }
    }

    private func close(_ stream: Int) {
        state.withLock { $0.streams[stream] = nil }
    }

    private func attempt<Value: Sendable>(
        _ body: (inout State) throws(HubError) -> Value
    ) throws(HubError) -> Value {
        try state.withLock { (state) throws(HubError) in try body(&state) }
    }
}

extension FakeHubState.State {
    func roles(of token: String) throws(HubError) -> [ListName: Role] {
        guard let roles = tokens[token] else { throw HubError(.unauthorized, "the token is not known here") }
        return roles
    }

    func list(_ name: ListName, for token: String, as role: Role) throws(HubError) -> FakeList {
        guard let granted = try roles(of: token)[name], let list = lists[name] else {
            throw HubError(.noSuchList, "this token sees no list '\(name)'")
        }
        guard granted >= role else { throw HubError(.forbidden, "this token may read '\(name)', not change it") }
        return list
    }
}
