import HTTP
import Synchronization
import TandemClient
import Wire

/// A value that tasks wait for.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [(isMet: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func update(_ change: (inout Value) -> Void) {
        let met = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            change(&state.value)
            let value = state.value
            defer { state.waiters.removeAll { $0.isMet(value) } }
            return state.waiters.filter { $0.isMet(value) }.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.withLock { state in
                guard !isMet(state.value) else { return true }
                state.waiters.append((isMet, continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }
}

/// Answers with what a test says, and remembers what it was asked.
final class ScriptedDaemon: Handler {
    private let requests = Mutex<[Request]>([])
    private let answer: @Sendable (Request) -> Response

    init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }

    convenience init(_ json: JSON) { self.init { _ in Response(.ok, json: json) } }

    var asked: [Request] { requests.withLock { $0 } }

    func respond(to request: Request) async -> Response {
        requests.withLock { $0.append(request) }
        return answer(request)
    }

    var connection: DaemonConnection { DaemonConnection(transport: HandlerTransport(self)) }
}

/// A way to a handler that has a bound for answers, as the real one has, and that can be cut.
struct BoundedTransport: Transport {
    let handler: any Handler
    var maximumBytes = 64 << 20
    let fault = Watched<TransportError.Code?>(nil)

    func send(_ request: Request) async throws(TransportError) -> Response {
        try check()
        let response = try await HandlerTransport(handler).send(request)
        guard response.bytes.count <= maximumBytes else { throw TransportError(.tooLarge, "too many bytes") }
        return response
    }

    func open(_ request: Request) async throws(TransportError) -> Response {
        try check()
        return try await HandlerTransport(handler).open(request)
    }

    private func check() throws(TransportError) {
        if let code = fault.value { throw TransportError(code, "out of order") }
    }
}

/// A list of items that is asked for in pages.
final class PagedItems: Handler {
    let items: Watched<[Item]>
    let requests = Watched<[Request]>([])
    /// Called before each answer.
    let beforeAnswer: @Sendable (PagedItems, _ request: Int) -> Void

    init(_ items: [Item], beforeAnswer: @escaping @Sendable (PagedItems, Int) -> Void = { _, _ in }) {
        self.items = Watched(items)
        self.beforeAnswer = beforeAnswer
    }

    func respond(to request: Request) async -> Response {
        requests.update { $0.append(request) }
        beforeAnswer(self, requests.value.count)
        do throws(Failure) {
            guard case .items(_, let query) = try LocalRoute(request) else { throw .unknownRoute }
            return Response(.ok, jsonLines: makeLines(try page(query)))
        } catch {
            return Response(error)
        }
    }

    private func page(_ query: LocalRoute.ItemsQuery) throws(Failure) -> ArraySlice<Item> {
        let all = items.value
        var rest = all[...]
        if let after = query.after {
            guard let index = all.firstIndex(where: { $0.id == after }) else {
                throw Failure(.notFound, code: "no-such-item", "there is no item '\(after)'")
            }
            rest = all[(index + 1)...]
        }
        return rest.prefix(query.limit ?? .max)
    }
}

func makeLines(_ items: some Sequence<Item>) -> [UInt8] {
    items.reduce(into: []) { $0 += $1.json.encoded() + [UInt8(ascii: "\n")] }
}

func makeItems(_ range: Range<Int>, padding: Int = 0) throws -> [Item] {
    try range.map { try makeItem("item-\($0)", title: "\($0)" + String(repeating: "x", count: padding)) }
}

func makeItem(_ id: String, title: String = "", version: Int64 = 1) throws -> Item {
    var item = Item(id: try ItemID(id))
    let origin = Origin(
        version: Version(version), replica: try ReplicaID("r"), n: version, at: Timestamp(milliseconds: version))
    item.version = Version(version)
    item.fields[.title] = Field(.string(title), origin)
    return item
}
