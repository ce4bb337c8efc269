import HTTP
import Platform
import Remote
import Sync
import Synchronization
import TandemItems
import Testing
import Wire

/// A transport that gives what a test wants and keeps what was sent.
final class ScriptedTransport: Transport {
    private let answers: Mutex<[Result<Response, TransportError>]>
    private let sent = Mutex<[Request]>([])

    init(_ answers: Result<Response, TransportError>...) { self.answers = Mutex(answers) }

    convenience init(_ response: Response) { self.init(.success(response)) }

    var requests: [Request] { sent.withLock(\.self) }

    func send(_ request: Request) async throws(TransportError) -> Response {
        sent.withLock { $0.append(request) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return try (answer ?? .failure(TransportError(.unreachable, "the script is over"))).get()
    }

    func open(_ request: Request) async throws(TransportError) -> Response { try await send(request) }
}

/// An answer that a hub gives wrongly, or that something else gives in its place.
struct WrongAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: Response
    let code: HubError.Code

    init(
        _ status: Int, _ expected: HubError.Code, code: String? = nil, type: String = "application/json",
        _ body: String = ""
    ) {
        testDescription = "\(status) \(code ?? body.prefix(30).description)"
        self.code = expected
        let text = code.map { JSON.object(["code": .string($0), "message": "why"]).text } ?? body
        response = Response(Status(status), headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }

    static let page = "<html><body>Welcome to the hotel</body></html>"

    static let refusals = [
        WrongAnswer(400, .rejected, code: "malformed"), WrongAnswer(401, .unauthorized, code: "unauthorized"),
        WrongAnswer(401, .unauthorized, code: "token-revoked"), WrongAnswer(403, .forbidden, code: "forbidden"),
        WrongAnswer(404, .noSuchList, code: "no-such-list"), WrongAnswer(404, .notAHub, code: "no-such-route"),
        WrongAnswer(405, .rejected, code: "method-not-allowed"), WrongAnswer(408, .busy, code: "timeout"),
        WrongAnswer(409, .historyDiverged, code: "history-diverged"), WrongAnswer(409, .rejected, code: "other"),
        WrongAnswer(410, .gone, code: "gone"), WrongAnswer(413, .tooLarge, code: "too-large"),
        WrongAnswer(426, .upgradeRequired, code: "upgrade-required"), WrongAnswer(429, .busy, code: "slow-down"),
        WrongAnswer(500, .failed, code: "failed"), WrongAnswer(503, .busy, code: "failed"),
        WrongAnswer(507, .failed, code: "disk-full"),
    ]

    static let strangers = [
        WrongAnswer(200, .notAHub, type: "text/html", page),
        WrongAnswer(200, .notAHub, type: "text/html; charset=utf-8"),
        WrongAnswer(204, .notAHub), WrongAnswer(301, .notAHub), WrongAnswer(400, .notAHub, page),
        WrongAnswer(401, .notAHub, page), WrongAnswer(403, .notAHub, page), WrongAnswer(404, .notAHub, page),
        WrongAnswer(404, .notAHub, #"{"error":"not found"}"#), WrongAnswer(413, .tooLarge, page),
        WrongAnswer(429, .busy, page), WrongAnswer(500, .failed, page), WrongAnswer(502, .busy, page),
        WrongAnswer(503, .busy, page), WrongAnswer(504, .busy, page),
    ]
}

@Suite(.timeLimit(.minutes(5)))
struct RemoteHubTests {
    private func hub(_ transport: any Transport) throws -> RemoteHub {
        try HubHarness.remote(transport, token: "tdm_secret", name: "Zoë's machine\n")
    }

    @Test(arguments: WrongAnswer.refusals + WrongAnswer.strangers)
    func statusAndCodeSayWhatIsWrong(answer: WrongAnswer) async throws {
        for call in ["hello", "push", "changes", "events"] {
            let hub = try hub(ScriptedTransport(answer.response))
            await expectHubError(answer.code) { () async throws(HubError) in
                switch call {
                case "hello": _ = try await hub.hello()
                case "push": _ = try await hub.push([], to: .todo, seen: nil)
                case "changes": _ = try await hub.changes(in: .todo, since: nil, limit: 1)
                default: _ = try await hub.events()
                }
            }
        }
    }

    @Test(
        arguments: [
            (.unreachable, .unreachable), (.interrupted, .interrupted), (.cancelled, .interrupted),
            (.insecure, .insecure), (.malformed, .notAHub), (.tooLarge, .rejected),
        ] as [(TransportError.Code, HubError.Code)])
    func failedTransportSaysWhetherTheHubMayHaveActed(code: TransportError.Code, expected: HubError.Code) async throws {
        let transport = ScriptedTransport(
            .failure(TransportError(code, "why")), .failure(TransportError(code, "why")))
        let hub = try hub(transport)
        let error = await expectHubError(expected) { () async throws(HubError) in try await hub.hello() }
        #expect(error?.message.hasSuffix("why") == true)
        await expectHubError(expected) { () async throws(HubError) in try await hub.events() }
    }

    @Test func everyRequestSaysWhoAsks() async throws {
        let transport = ScriptedTransport()
        let hub = try hub(transport)
        _ = try? await hub.hello()  // The script answers none of them.
        _ = try? await hub.push([try hubMutation("a", by: "r7")], to: .todo, seen: nil)
        _ = try? await hub.changes(in: .todo, since: nil, limit: 0)
        _ = try? await hub.events()
        #expect(
            transport.requests.map(\.target) == [
                "/v1/hello", "/v1/lists/todo/push", "/v1/lists/todo/changes?limit=1", "/v1/events",
            ])
        for request in transport.requests {
            #expect(request.headers["Authorization"] == "Bearer tdm_secret")
            #expect(request.headers["Tandem-Protocol"] == "1")
            #expect(request.headers["Tandem-Replica-Name"] == "Zo%C3%AB%27s%20machine%0A")
        }
        #expect(transport.requests.map { $0.headers["Tandem-Replica"] } == ["r1", "r7", "r1", "r1"])
        #expect(transport.requests[1].headers["Content-Type"] == "application/json")
        #expect(transport.requests[3].headers["Accept"] == "text/event-stream")
    }

    @Test func replicaThatIsNoPlainTextIsNoHeader() async throws {
        let transport = ScriptedTransport()
        let hub = try hub(transport)
        // The script answers nothing.
        _ = try? await hub.push([try hubMutation("a", by: "ré\u{2028}")], to: .todo, seen: nil)
        #expect(transport.requests.first?.headers["Tandem-Replica"] == nil)
    }

    @Test(arguments: [("7", 7), ("0", 0), ("-5", 0), ("99999999999", 3_600)])
    func waitThatTheHubAsksForIsBounded(text: String, seconds: Int) async throws {
        var response = Response(Failure(.unavailable, code: "failed", "later"))
        response.headers["Retry-After"] = text
        let hub = try hub(ScriptedTransport(response))
        let error = await expectHubError(.busy) { () async throws(HubError) in try await hub.hello() }
        #expect(error?.retryAfter == .seconds(seconds))
    }

    @Test func messageIsTheHubsWithItsHint() async throws {
        let failure = Failure(
            .unauthorized, code: "unauthorized", "the token is not known here", hint: "ask for another")
        let hub = try hub(ScriptedTransport(Response(failure)))
        let error = await expectHubError(.unauthorized) { () async throws(HubError) in try await hub.hello() }
        #expect(error?.message == "the token is not known here (ask for another)")
    }

    @Test func redirectIsSaid() async throws {
        let response = Response(Status(308), headers: ["Location": "https://hub.example/v1/hello"])
        let hub = try hub(ScriptedTransport(response))
        let error = await expectHubError(.notAHub) { () async throws(HubError) in try await hub.hello() }
        #expect(error?.message.contains("https://hub.example/v1/hello") == true)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"name":"a service","version":3}"#])
    func helloOfAnotherServiceIsNoHubs(body: String) async throws {
        let hub = try hub(ScriptedTransport(WrongAnswer(200, .notAHub, body).response))
        await expectHubError(.notAHub) { () async throws(HubError) in try await hub.hello() }
    }

    @Test(arguments: ["", "{", "[]", #"{"outcomes":[{}]}"#, #"{"outcomes":[],"items":[{"id":"a"}]}"#])
    func answerToAPushThatCannotBeReadIsRejected(body: String) async throws {
        let hub = try hub(ScriptedTransport(WrongAnswer(200, .rejected, body).response))
        await expectHubError(.rejected) { () async throws(HubError) in
            try await hub.push([], to: .todo, seen: nil)
        }
    }

    @Test(arguments: ["", "{}\n", #"{"cursor":"x","head":1}"#, #"{"cursor":"e.1.d"}"#, #"{"cursor":"e.1.d","hea"#])
    func pageThatWasCutOrCannotBeReadIsRejected(body: String) async throws {
        let answer = WrongAnswer(200, .rejected, type: MediaType.jsonLines, body)
        let hub = try hub(ScriptedTransport(answer.response))
        await expectHubError(.rejected) { () async throws(HubError) in
            try await hub.changes(in: .todo, since: nil, limit: 1)
        }
    }

    @Test func unknownMembersOfANewerHubAreNoHindrance() async throws {
        let body = """
            {"id":"a","version":1,"fields":{},"origins":[],"cursor":"not one","later":[1]}
            {"cursor":"e.1.d","head":1,"later":true}
            """
        let hub = try hub(ScriptedTransport(WrongAnswer(200, .rejected, type: MediaType.jsonLines, body).response))
        let page = try await hub.changes(in: .todo, since: nil, limit: 1)
        #expect(page.items.map(\.unknown) == [["cursor": "not one", "later": [1]]])
        #expect(page.cursor.sequence == Version(1))
    }
}
