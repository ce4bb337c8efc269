import Platform
import Sync
import Synchronization
import TandemItems

/// A hub in memory that obeys the real rules: merge, ledger, gapless sequences, cursors with digests. Faults are put
/// into it by the test.
final class FaultyHub: HubConnection {
    enum Call: Hashable, Sendable { case hello, push, changes, events }

    /// What becomes of a call.
    enum Fault: Hashable, Sendable {
        /// It is not carried out.
        case refused(HubError)
        /// It is carried out, and its answer is lost.
        case lost(HubError)
    }

    struct List: Sendable {
        var items: [ItemID: Item] = [:]
        var digests = ["0"]
        var ledger: [String: (nonce: Nonce, outcome: Outcome)] = [:]
        var head: Version { Version(Int64(digests.count - 1)) }
    }

    struct State: Sendable {
        var epoch = Epoch("first")
        var lists: [ListName: List] = [.todo: List()]
        var roles: [ListName: Role] = [.todo: .editor]
        var limits = Limits()
        var time = Timestamp(milliseconds: 1_700_000_000_000)
        var protocols = 1...1
        var isDown = false
        /// Most outcomes of one answer; the rest of a push is left alone.
        var outcomes = Int.max
        var faults: [Call: [Fault]] = [:]
        var counts: [Call: Int] = [:]
        var gates: [Call: CallGate] = [:]
        var streams: [Int: AsyncThrowingStream<HubEvent, any Error>.Continuation] = [:]
        var lastStream = 0
    }

    private let state = Mutex(State())

    func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    // MARK: What tests do

    var epoch: Epoch { with { $0.epoch } }
    func count(_ call: Call) -> Int { with { $0.counts[call] ?? 0 } }
    func head(of list: ListName = .todo) -> Version { with { $0.lists[list]?.head ?? .none } }
    func item(_ id: String, in list: ListName = .todo) throws -> Item? {
        let id = try ItemID(id)
        return with { $0.lists[list]?.items[id] }
    }

    /// Items that are not deleted, by id.
    func items(in list: ListName = .todo) -> [Item] {
        with { ($0.lists[list]?.items.values ?? [:].values).filter { !$0.isDeleted }.sorted { $0.id < $1.id } }
    }

    func fail(_ call: Call, _ faults: Fault...) { with { $0.faults[call, default: []] += faults } }

    func add(_ list: ListName, role: Role = .editor) {
        with { state in
            state.lists[list] = List()
            state.roles[list] = role
        }
    }

    /// Takes the network away, with every open stream, or gives it back.
    func setDown(_ isDown: Bool) {
        with { $0.isDown = isDown }
        if isDown { breakStreams(HubError(.interrupted, "cut")) }
    }

    func breakStreams(_ error: HubError) {
        let streams = with { state in
            defer { state.streams = [:] }
            return state.streams
        }
        for stream in streams.values { stream.finish(throwing: error) }
    }

    /// Holds the next calls of a kind after they are carried out and before they are answered.
    func hold(_ call: Call) -> CallGate {
        let gate = CallGate()
        with { $0.gates[call] = gate }
        return gate
    }

    func release(_ call: Call) { with { $0.gates.removeValue(forKey: call) }?.open() }

    func beat() { for stream in with({ $0.streams }).values { stream.yield(.heartbeat) } }

    // MARK: HubConnection

    func hello() async throws(HubError) -> Hello {
        try await exchange(.hello) { state throws(HubError) in
            let grants = state.roles.sorted { $0.key < $1.key }.map {
                Grant(list: $0.key, kind: .todo, role: $0.value, head: state.lists[$0.key]?.head ?? .none)
            }
            return Hello(
                name: "hub", epoch: state.epoch, protocols: state.protocols, limits: state.limits, grants: grants,
                time: state.time, writers: [:])
        }
    }

    func push(
        _ mutations: [Mutation], to name: ListName, seen: Cursor?
    ) async throws(HubError) -> PushAnswer {
        let (answer, head) = try await exchange(.push) { state throws(HubError) in
            guard mutations.count <= state.limits.batchMutations else { throw HubError(.tooLarge, "too many") }
            guard state.roles[name] ?? .reader >= .editor, var list = state.lists[name] else {
                throw HubError(.forbidden, "not yours")
            }
            if let seen { try list.check(seen, epoch: state.epoch) }
            let some = mutations.prefix(state.outcomes)
            let outcomes = some.map { list.take($0, state.limits) }
            let ids = Set(zip(some, outcomes).compactMap { if case .accepted = $1 { $0.item } else { nil } })
            state.lists[name] = list
            let items = ids.sorted().compactMap { list.items[$0] }
            let end = Cursor(epoch: state.epoch, sequence: list.head, digest: list.digests[list.digests.count - 1])
            return (PushAnswer(outcomes: outcomes, items: items, seen: end), list.head)
        } done: { [self] in
            tell(name, $0.1)
        }
        _ = head
        return answer
    }

    func changes(in name: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage {
        try await exchange(.changes) { state throws(HubError) in
            guard state.roles[name] != nil, let list = state.lists[name] else { throw HubError(.noSuchList, "no list") }
            return try list.page(since: cursor, limit: limit, epoch: state.epoch)
        }
    }

    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> {
        try await exchange(.events) { [self] state throws(HubError) in
            let (stream, continuation) = AsyncThrowingStream<HubEvent, any Error>.makeStream()
            state.lastStream += 1
            let number = state.lastStream
            state.streams[number] = continuation
            continuation.onTermination = { _ in _ = self.with { $0.streams.removeValue(forKey: number) } }
            for name in state.roles.keys { continuation.yield(.head(name, state.lists[name]?.head ?? .none)) }
            return stream
        }
    }

    /// Writes as someone else would, and tells the streams.
    @discardableResult
    func write(
        _ id: String, _ set: FieldMap<JSON>, increments: FieldMap<Int64> = [:], base: Version = Version(.max - 1),
        at: Int64 = 1_700_000_000_000, by replica: String = "elsewhere", to name: ListName = .todo
    ) throws -> Item? {
        let (replica, id) = (try ReplicaID(replica), try ItemID(id))
        let (item, head) = with { state in
            let n = (state.lists[name]?.head.number ?? 0) + 1_000
            let mutation = Mutation(
                replica: replica, n: n, nonce: Nonce(random: UInt64(n)), item: id, base: base, set: set,
                increments: increments, at: Timestamp(milliseconds: at))
            _ = state.lists[name]?.take(mutation, state.limits)
            return (state.lists[name]?.items[id], state.lists[name]?.head ?? .none)
        }
        tell(name, head)
        return item
    }

    private func tell(_ list: ListName, _ head: Version) {
        for stream in with({ $0.streams }).values { stream.yield(.head(list, head)) }
    }

    private func exchange<Value: Sendable>(
        _ call: Call, _ body: @Sendable (inout State) throws(HubError) -> Value,
        done: @Sendable (Value) -> Void = { _ in }
    ) async throws(HubError) -> Value {
        let (result, gate) = with { state -> (Result<Value, HubError>, CallGate?) in
            state.counts[call, default: 0] += 1
            guard !state.isDown else { return (.failure(HubError(.unreachable, "down")), nil) }
            let fault = state.faults[call].flatMap { $0.isEmpty ? nil : state.faults[call]?.removeFirst() }
            if case .refused(let error) = fault { return (.failure(error), nil) }
            let result = Result { () throws(HubError) in try body(&state) }
            if case .success(let value) = result, case .lost(let error) = fault {
                _ = value
                return (.failure(error), state.gates[call])
            }
            return (result, state.gates[call])
        }
        if case .success(let value) = result { done(value) }
        if await gate?.pass() == false { throw HubError(.interrupted, "cancelled") }
        return try result.get()
    }
}

extension FaultyHub.List {
    mutating func take(_ mutation: Mutation, _ limits: Limits) -> Outcome {
        let key = "\(mutation.replica) \(mutation.n)"
        if let entry = ledger[key] {
            return entry.nonce == mutation.nonce ? entry.outcome : .refused(.replicaForked)
        }
        let outcome: Outcome
        do throws(InvalidItem) {
            let merged = try Merge.apply(mutation, to: items[mutation.item], as: head.next)
            try merged.item.check(limits)
            items[mutation.item] = merged.item
            digests.append("\(digests.last?.hashValue ?? 0)-\(mutation.nonce)")
            outcome = .accepted(head)
        } catch {
            outcome = .refused(Refusal(code: error.code.rawValue, message: error.message))
        }
        ledger[key] = (mutation.nonce, outcome)
        return outcome
    }

    func check(_ place: Cursor, epoch: Epoch) throws(HubError) {
        let isKnown =
            place.sequence <= head && digests[Int(place.sequence.number)] == place.digest && place.epoch == epoch
        guard isKnown else { throw HubError(.historyDiverged, "no such place") }
    }

    func page(since cursor: Cursor?, limit: Int, epoch: Epoch) throws(HubError) -> ChangesPage {
        let since = cursor?.sequence ?? .none
        if let cursor { try check(cursor, epoch: epoch) }
        let firstHead = cursor.map(\.firstHead) ?? head
        let changed = items.values.filter { item in
            item.version > since && !(item.isDeleted && item.version <= firstHead ?? .none)
        }
        let page = changed.sorted { $0.version < $1.version }.prefix(limit)
        let end = page.count < limit ? head : page.last?.version ?? head
        let next = Cursor(
            epoch: epoch, sequence: end, digest: digests[Int(end.number)], firstHead: firstHead)
        return ChangesPage(items: Array(page), cursor: next, head: head)
    }
}

/// A place where calls wait until it is opened.
final class CallGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var watchers: [CheckedContinuation<Void, Never>] = []
        var cancelled: Set<Int> = []
        var last = 0
    }

    private let state = Mutex(State())

    /// Waits; says whether it was opened, or the task cancelled.
    func pass() async -> Bool {
        let key = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(key, $0) }
        } onCancel: {
            let waiting = state.withLock { state in
                state.cancelled.insert(key)
                return state.waiting.removeValue(forKey: key)
            }
            waiting?.resume(returning: false)
        }
    }

    private func wait(_ key: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let (answer, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
            defer { state.watchers = [] }
            if state.isOpen { return (true, state.watchers) }
            if state.cancelled.contains(key) { return (false, state.watchers) }
            state.waiting[key] = continuation
            return (nil, state.watchers)
        }
        for watcher in watchers { watcher.resume() }
        if let answer { continuation.resume(returning: answer) }
    }

    /// Returns once a call has come to the gate.
    func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.last > 0 { return true }
                state.watchers.append(continuation)
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: true) }
    }
}
