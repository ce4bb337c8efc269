import Platform
import Sync
import Synchronization
import TandemItems

/// A hub in memory that obeys the real rules: it merges by the merge rule, keeps a ledger, allocates sequences without
/// gaps, and leaves tombstones out of a first sync. Held to the same suite as the hub over HTTP (`HubConnectionTests`).
///
/// A value is one token's view of the hub; views share it. What the network can do to an exchange is scripted by
/// ``intercept``.
struct FakeHub: HubConnection {
    /// What may happen to an exchange.
    enum Fault: Sendable {
        /// It fails, and the hub has not seen it.
        case before(HubError)
        /// The hub has carried it out, and the answer is lost.
        case after(HubError)
    }

    enum Call: Sendable { case hello, push, changes, events }

    let hub: FakeHubState
    /// The token's name; tokens are made by ``FakeHubState/grant(_:_:)``.
    let token: String
    /// Asked at each call.
    var intercept: @Sendable (Call) -> Fault? = { _ in nil }

    init(_ hub: FakeHubState, token: String) {
        self.hub = hub
        self.token = token
    }

    func hello() async throws(HubError) -> Hello {
        try exchange(.hello) { () throws(HubError) in try hub.hello(token) }
    }

    func push(
        _ mutations: [Mutation], to list: ListName, seen: Cursor?
    ) async throws(HubError) -> PushAnswer {
        try exchange(.push) { () throws(HubError) in try hub.push(mutations, to: list, seen: seen, token) }
    }

    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        try exchange(.changes) { () throws(HubError) in try hub.changes(in: list, since: cursor, limit: limit, token) }
    }

    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> {
        try exchange(.events) { () throws(HubError) in try hub.events(token) }
    }

    private func exchange<Answer>(
        _ call: Call, _ body: () throws(HubError) -> Answer
    ) throws(HubError) -> Answer {
        let fault = intercept(call)
        if case .before(let error) = fault { throw error }
        let answer = try body()
        if case .after(let error) = fault { throw error }
        return answer
    }
}

/// The hub that the views of ``FakeHub`` share.
final class FakeHubState: Sendable {
    fileprivate struct State {
        var epoch: Epoch
        var lists: [ListName: FakeList] = [:]
        var tokens: [String: [ListName: Role]] = [:]
        var streams: [Int: (token: String, continuation: AsyncThrowingStream<HubEvent, any Error>.Continuation)] = [:]
        var lastStream = 0
    }

    let limits: Limits
    private let time: any TimeSource
    private let state: Mutex<State>

    init(epoch: String = "epoch-1", limits: Limits = Limits(), time: any TimeSource) {
        self.limits = limits
        self.time = time
        state = Mutex(State(epoch: Epoch(epoch)))
    }

    /// How many event streams are open.
    var streamCount: Int { state.withLock(\.streams.count) }

    func add(_ list: ListName, kind: ListKind = .todo) {
        state.withLock { $0.lists[list] = FakeList(kind: kind) }
    }

    /// Makes a token, or changes its rights; one without rights is unknown.
    func grant(_ token: String, _ roles: [ListName: Role]) {
        state.withLock { $0.tokens[token] = roles.isEmpty ? nil : roles }
    }

    /// A new life of the hub: another epoch, and the lists as they are given, as after a restore.
    func restore(epoch: String, lists: [ListName: FakeList]) {
        state.withLock {
            $0.epoch = Epoch(epoch)
            $0.lists = lists
        }
    }

    /// The lists as they are, for ``restore(epoch:lists:)`` later.
    var copy: [ListName: FakeList] { state.withLock(\.lists) }

    /// A sign of life on every stream; those whose token has lost its rights end.
    func beat() {
        let ended = state.withLock { state in
            for stream in state.streams.values where state.tokens[stream.token] != nil {
                stream.continuation.yield(.heartbeat)
            }
            return state.streams.values.filter { state.tokens[$0.token] == nil }
        }
        for stream in ended { stream.continuation.finish() }  // which calls `close`, so not under the lock
    }

    func hello(_ token: String) throws(HubError) -> Hello {
        try attempt { state throws(HubError) in
            let grants = try state.roles(of: token).compactMap { name, role in
                state.lists[name].map { Grant(list: name, kind: $0.kind, role: role, head: $0.head) }
            }
            return Hello(
                name: "a hub", epoch: state.epoch, protocols: 1...1, limits: limits,
                grants: grants.sorted { $0.list < $1.list }, time: Timestamp(milliseconds: time.now), writers: [:])
        }
    }

    func push(
        _ mutations: [Mutation], to name: ListName, seen: Cursor?, _ token: String
    ) throws(HubError) -> PushAnswer {
        try attempt { state throws(HubError) in
            var list = try state.list(name, for: token, as: .editor)
            guard mutations.count <= limits.batchMutations else { throw HubError(.tooLarge, "too many mutations") }
            if let seen { try list.check(seen, epoch: state.epoch) }
            let before = list.head
            let now = Timestamp(milliseconds: time.now)
            var answer = list.push(mutations, limits: limits, now: now)
            answer.seen = Cursor(epoch: state.epoch, sequence: list.head, digest: list.digest)
            state.lists[name] = list
            guard list.head > before else { return answer }
            for stream in state.streams.values where state.tokens[stream.token]?[name] != nil {
                stream.continuation.yield(.head(name, list.head))
            }
            return answer
        }
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
            continuation.onTermination = { [weak self] _ in self?.close(number) }
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
