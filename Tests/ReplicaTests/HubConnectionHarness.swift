import Curl
import HTTP
import Hub
import HubStore
import MicroHTTPD
import Platform
import Remote
import Sync
import TandemItems
import Testing

/// The ways to a hub that keep the port's contract.
enum HubConnectionKind: CaseIterable {
    /// ``RemoteHub`` over a handler in this process.
    case handler
    /// ``RemoteHub`` over libcurl, a socket and libmicrohttpd.
    case sockets
    /// ``FakeHub``.
    case fake
}

/// A hub with the lists `todo` and `other`, and connections for what tokens may do there.
struct HubHarness {
    static let limits = Limits(itemBytes: 1_000, fields: 8, batchMutations: 10, batchBytes: 20_000)
    static let heartbeat: Duration = .seconds(15)

    let time: ManualTime
    /// May edit `todo`, and read `other`.
    let editor: any HubConnection
    /// May read `todo`.
    let reader: any HubConnection
    /// Has a token that no hub knows.
    let stranger: any HubConnection
    /// Ends the reader's rights.
    let revokeReader: @Sendable () async throws -> Void
    /// One heartbeat.
    let beat: @Sendable () async -> Void

    static func with(_ kind: HubConnectionKind, _ body: (HubHarness) async throws -> Void) async throws {
        switch kind {
        case .fake: try await withFake(body)
        case .handler:
            try await withService { service, tokens, time in
                try await run(service, tokens, time, { HandlerTransport(service) }, body)
            }
        case .sockets:
            try await withService { service, tokens, time in
                try await withServer(service) { endpoint in
                    try await run(service, tokens, time, { CurlTransport(endpoint: endpoint, options: .direct) }, body)
                }
            }
        }
    }

    /// The administration, and the tokens of `editor` and `reader`.
    struct Tokens {
        let administration: HubAdministration
        let editor: String
        let reader: String
    }

    static func withService(
        _ body: (HubService, Tokens, ManualTime) async throws -> Void
    ) async throws {
        let storage = MemoryHubStorage(epoch: Epoch("epoch-1"))
        let time = ManualTime()
        let administration = HubAdministration(storage: storage, time: time)
        let other = try ListName("other")
        for list in [.todo, other] { try await administration.addList(list, kind: .todo) }
        let configuration = HubConfiguration(name: "a hub", limits: limits, heartbeat: heartbeat)
        let service = try await HubService(storage: storage, configuration: configuration, time: time)
        let tokens = Tokens(
            administration: administration,
            editor: try await administration.addToken("editor", role: .editor, lists: [other, .todo]),
            reader: try await administration.addToken("reader", role: .reader, lists: [.todo]))
        try await body(service, tokens, time)
    }

    static func withServer(_ handler: any Handler, _ body: (Endpoint) async throws -> Void) async throws {
        let listen = ListenAddress.tcp(address: "127.0.0.1", port: 0)
        let server = try Server(configuration: ServerConfiguration(listen: listen), handler: handler)
        do {
            try await body(Endpoint(base: "http://127.0.0.1:\(server.port ?? 0)"))
        } catch {
            await server.stop(deadline: .zero)
            throw error
        }
        await server.stop(deadline: .zero)
    }

    static func remote(
        _ transport: any Transport, token: String, name: String = "a machine", time: any TimeSource = SystemTime()
    ) throws -> RemoteHub {
        RemoteHub(
            transport, author: RemoteHub.Author(token: token, replica: try ReplicaID("r1"), name: name), time: time)
    }

    private static func run(
        _ service: HubService, _ tokens: Tokens, _ time: ManualTime, _ transport: () -> any Transport,
        _ body: (HubHarness) async throws -> Void
    ) async throws {
        let beats = Task { try await service.run() }  // Ended below.
        defer { beats.cancel() }
        await time.sleepers(atLeast: 1)
        let reading = ReadTime(time)
        try await body(
            HubHarness(
                time: time, editor: try remote(transport(), token: tokens.editor, time: reading),
                reader: try remote(transport(), token: tokens.reader, time: reading),
                stranger: try remote(transport(), token: "unknown", time: reading),
                revokeReader: { try await tokens.administration.revokeToken("reader") },
                beat: {
                    time.advance(by: heartbeat)
                    await time.sleepers(atLeast: 1)
                }))
    }

    private static func withFake(_ body: (HubHarness) async throws -> Void) async throws {
        let time = ManualTime()
        let hub = FakeHubState(limits: limits, time: time)
        let other = try ListName("other")
        for list in [.todo, other] { hub.add(list) }
        hub.grant("editor", [.todo: .editor, other: .editor])
        hub.grant("reader", [.todo: .reader])
        try await body(
            HubHarness(
                time: time, editor: FakeHub(hub, token: "editor"), reader: FakeHub(hub, token: "reader"),
                stranger: FakeHub(hub, token: "unknown"), revokeReader: { hub.grant("reader", [:]) },
                beat: { hub.beat() }))
    }
}

/// A hub's clock as its replicas read it; they wait by one that stands still, so that only the hub's own waits are
/// counted.
private struct ReadTime: TimeSource {
    private let time: ManualTime
    private let still = ManualTime()

    init(_ time: ManualTime) { self.time = time }

    var now: Int64 { time.now }
    var monotonic: Duration { time.monotonic }

    func sleep(for duration: Duration) async throws { try await still.sleep(for: duration) }
}

extension CurlTransport.Options {
    /// Without a proxy that the environment may name.
    static var direct: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.proxy = ""
        return options
    }
}

/// A mutation that sets fields of an item.
func hubMutation(
    _ id: String, set: FieldMap<JSON> = [.title: "a title"], base: Int64 = 0, by replica: String = "r1", n: Int64 = 1
) throws -> Mutation {
    Mutation(
        replica: try ReplicaID(replica), n: n, nonce: try Nonce("\(replica)-\(n)"), item: try ItemID(id),
        base: Version(base), set: set, at: Timestamp(milliseconds: n))
}

/// Expects a call to fail with this code, and gives the error.
@discardableResult
func expectHubError<Value>(
    _ code: HubError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws(HubError) -> Value
) async -> HubError? {
    do throws(HubError) {
        _ = try await call()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    }
}
