import HTTP
import Hub
import Platform
import TandemItems
import Testing
import Wire

/// A hub's service over an empty store with the lists `todo` and `other`, a clock of its own, and tokens for `todo`.
struct HubServiceFixture: Sendable {
    /// Small, so that a test reaches them.
    static let limits = Limits(itemBytes: 1_000, fields: 8, batchMutations: 10, batchBytes: 20_000)
    static let start: Int64 = 1_700_000_000_000

    let storage: any HubStorage
    let service: HubService
    let time: ManualTime
    let administration: HubAdministration
    let configuration: HubConfiguration
    let editor: String
    let reader: String

    static func with(
        _ kind: StorageKind, limits: Limits = limits, answerBytes: Int = 4 << 20,
        _ body: (HubServiceFixture) async throws -> Void
    ) async throws {
        try await kind.withStorage { storage async throws in
            let time = ManualTime(now: start)
            let administration = HubAdministration(storage: storage, time: time)
            try await administration.addList(try ListName("other"), kind: .todo)
            let configuration = HubConfiguration(name: "a hub", limits: limits, answerBytes: answerBytes)
            let fixture = HubServiceFixture(
                storage: storage,
                service: try await HubService(storage: storage, configuration: configuration, time: time), time: time,
                administration: administration, configuration: configuration,
                editor: try await administration.addToken("editor", role: .editor, lists: [.todo]),
                reader: try await administration.addToken("reader", role: .reader, lists: [.todo]))
            try await body(fixture)
        }
    }

    /// Another service over the same store, as after a restart.
    func restarted() async throws -> HubService {
        try await HubService(storage: storage, configuration: configuration, time: time)
    }

    func request(_ route: HubRoute, token: String? = nil, body: [UInt8] = []) -> Request {
        var request = route.request
        request.headers["Authorization"] = "Bearer \(token ?? editor)"
        request.body = body
        return request
    }

    func pushRequest(_ mutations: [Mutation], token: String? = nil, to list: ListName = .todo) -> Request {
        request(.push(list), token: token, body: PushBody.encode(mutations))
    }

    /// Sends a request that is to be answered with 200, and gives the answer's JSON.
    func json(_ request: Request, of service: HubService? = nil) async throws -> JSON {
        let response = await (service ?? self.service).respond(to: request)
        try #require(response.status == .ok, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try JSON(parsing: response.bytes)
    }

    @discardableResult
    func push(_ mutations: Mutation..., token: String? = nil) async throws -> PushAnswer {
        try PushAnswer(json: try await json(pushRequest(mutations, token: token)))
    }

    func page(since cursor: Cursor? = nil, limit: Int = 1_000) async throws -> ChangesPage {
        let response = await service.respond(to: request(.changes(.todo, since: cursor, limit: limit)))
        try #require(response.status == .ok, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try ChangesPage(jsonLines: response.bytes)
    }

    /// Everything that a request could have changed.
    func contents() async throws -> [String] {
        try await storage.read { store in
            var lines = try store.lists().map { "\($0)" }
            for list in try store.lists() {
                let items = try store.items(
                    in: list.name, after: .none, through: list.head, limit: .max, maximumBytes: .max,
                    tombstonesAfter: .none)
                lines += items.map { String(decoding: $0.json, as: UTF8.self) }
            }
            lines += try store.tokens().map { "\($0)" }
            lines += try store.replicaNames().map { "\($0)" }.sorted()
            return lines
        }
    }

    /// Runs the heartbeats while the body runs.
    func withHeartbeats(_ body: () async throws -> Void) async throws {
        let service = service
        let beats = Task { try await service.run() }  // Ended below.
        defer { beats.cancel() }
        await time.sleepers(atLeast: 1)
        try await body()
    }

    /// One heartbeat.
    func beat() async {
        time.advance(by: configuration.heartbeat)
        await time.sleepers(atLeast: 1)
    }
}

/// Reads one event stream as its client would.
struct EventTape: Sendable {
    private let stream: ByteStream
    private var parser = EventStreamParser()
    private var elements: [EventStreamParser.Element] = []

    init(_ response: Response) throws {
        guard case .stream(let stream) = response.body else { throw Failure.unknownRoute }
        self.stream = stream
    }

    /// The next event or heartbeat, `nil` at the stream's end.
    mutating func next() async throws -> EventStreamParser.Element? {
        while elements.isEmpty {
            guard let chunk = try await chunk() else { return nil }
            let taken = parser.take(chunk)
            elements = try #require(taken)
        }
        return elements.removeFirst()
    }

    private func chunk() async throws -> [UInt8]? {
        for try await chunk in stream { return chunk }
        return nil
    }

    /// The head of an event of that name; `nil` for anything else.
    mutating func head() async throws -> Int64? {
        guard case .event(let event) = try await next(), event.name == "head" else { return nil }
        return try JSON(parsing: Array(event.data.utf8)).object?["head"]?.int
    }
}

extension PushAnswer {
    /// The versions of accepted mutations, 0 for refused ones.
    var versions: [Int64] {
        outcomes.map { if case .accepted(let version) = $0 { version.number } else { 0 } }
    }

    /// The codes of refused mutations, empty for accepted ones.
    var codes: [String] {
        outcomes.map { if case .refused(let refusal) = $0 { refusal.code } else { "" } }
    }
}
