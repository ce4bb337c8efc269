import HTTP
import Hub
import Platform
import TandemItems
import Testing
import Wire

/// A request that a hub must refuse whole.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int
    let code: String
    let make: @Sendable (HubServiceFixture) async throws -> Request

    init(
        _ name: String, _ status: Int, _ code: String,
        _ make: @escaping @Sendable (HubServiceFixture) async throws -> Request
    ) {
        testDescription = name
        self.status = status
        self.code = code
        self.make = make
    }

    static let all = addresses + tokens + bodies

    static let addresses = [
        RefusedRequest("unknown route", 404, "no-such-route") { _ in Request(.get, ["v1", "nothing"]) },
        RefusedRequest("root", 404, "no-such-route") { _ in Request(.get, []) },
        RefusedRequest("unknown route of a list", 404, "no-such-route") { _ in
            Request(.get, ["v1", "lists", "todo", "nothing"])
        },
        RefusedRequest("wrong method", 405, "method-not-allowed") { _ in Request(.post, ["v1", "hello"]) },
        RefusedRequest("push by GET", 405, "method-not-allowed") { _ in Request(.get, ["v1", "lists", "todo", "push"])
        },
        RefusedRequest("version 2 of the API", 426, "upgrade-required") { _ in Request(.get, ["v2", "hello"]) },
        RefusedRequest("version 2, no more", 426, "upgrade-required") { _ in Request(.get, ["v2"]) },
        RefusedRequest("protocol 99", 426, "upgrade-required") { hub in
            var request = hub.request(.hello)
            request.headers[HubHeader.protocolVersion] = "99"
            return request
        },
        RefusedRequest("protocol that is no number", 426, "upgrade-required") { hub in
            var request = hub.request(.hello)
            request.headers[HubHeader.protocolVersion] = "one"
            return request
        },
        RefusedRequest("list name that is none", 400, "invalid-list-name") { _ in
            Request(.get, ["v1", "lists", "a b", "digest"])
        },
        RefusedRequest("limit of 0", 400, "malformed") { hub in hub.request(.changes(.todo, since: nil, limit: 0)) },
        RefusedRequest("limit too high", 400, "malformed") { hub in
            hub.request(.changes(.todo, since: nil, limit: 10_001))
        },
        RefusedRequest("cursor that is none", 400, "malformed") { hub in
            var request = hub.request(.changes(.todo, since: nil, limit: 1))
            request.query.append((name: "since", value: "yesterday"))
            return request
        },
    ]

    static let tokens = [
        RefusedRequest("no token", 401, "unauthorized") { _ in HubRoute.hello.request },
        RefusedRequest("another scheme", 401, "unauthorized") { hub in
            var request = hub.request(.hello)
            request.headers["Authorization"] = "Basic \(hub.editor)"
            return request
        },
        RefusedRequest("wrong token", 401, "unauthorized") { hub in hub.request(.hello, token: hub.editor + "x") },
        RefusedRequest("event stream without a token", 401, "unauthorized") { _ in HubRoute.events.request },
        RefusedRequest("revoked token", 401, "token-revoked") { hub in
            let token = try await hub.administration.addToken("former", role: .editor, lists: [.todo])
            try await hub.administration.revokeToken("former")
            return hub.pushRequest([try mutation("a")], token: token)
        },
        RefusedRequest("expired token", 401, "token-expired") { hub in
            let token = try await hub.administration.addToken(
                "guest", role: .editor, lists: [.todo], lifetime: .seconds(60))
            hub.time.advance(by: .seconds(60))
            return hub.pushRequest([try mutation("a")], token: token)
        },
        RefusedRequest("reader that pushes", 403, "forbidden") { hub in
            hub.pushRequest([try mutation("a")], token: hub.reader)
        },
        RefusedRequest("push to a list that is not granted", 404, "no-such-list") { hub in
            hub.pushRequest([try mutation("a")], to: try ListName("other"))
        },
        RefusedRequest("changes of a list that is not granted", 404, "no-such-list") { hub in
            hub.request(.changes(try ListName("other"), since: nil, limit: 1))
        },
        RefusedRequest("history of a list that is not granted", 404, "no-such-list") { hub in
            hub.request(.history(try ListName("other"), try ItemID("a")))
        },
        RefusedRequest("digest of a list that is not there", 404, "no-such-list") { hub in
            hub.request(.digest(try ListName("missing")))
        },
    ]

    static let bodies = [
        RefusedRequest("no body", 400, "malformed") { hub in hub.request(.push(.todo)) },
        RefusedRequest("body that is not JSON", 400, "malformed") { hub in
            hub.request(.push(.todo), body: Array("<html>".utf8))
        },
        RefusedRequest("body that is cut off", 400, "malformed") { hub in
            hub.request(.push(.todo), body: PushBody.encode([try mutation("a")]).dropLast())
        },
        RefusedRequest("body that is an array", 400, "malformed") { hub in
            hub.request(.push(.todo), body: Array("[]".utf8))
        },
        RefusedRequest("body without mutations", 400, "malformed") { hub in
            hub.request(.push(.todo), body: Array("{}".utf8))
        },
        RefusedRequest("mutations that are no array", 400, "malformed") { hub in
            hub.request(.push(.todo), body: Array(#"{"mutations":{}}"#.utf8))
        },
        RefusedRequest("too many mutations", 413, "too-large") { hub in
            hub.pushRequest(try (1...11).map { try mutation("a\($0)", n: $0) })
        },
        RefusedRequest("too many bytes", 413, "too-large") { hub in
            let text = JSON.string(String(repeating: "x", count: 20_000))
            return hub.pushRequest([try mutation("a", set: [.title: text])])
        },
    ]
}

@Suite("HubService refusals", .timeLimit(.minutes(2)))
struct HubServiceRefusalTests {
    @Test(arguments: StorageKind.allCases, RefusedRequest.all)
    func refusedRequestSaysWhyAndChangesNothing(kind: StorageKind, refused: RefusedRequest) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("before"))
            var request = try await refused.make(hub)
            request.headers[HubHeader.replica] = "r9"
            request.headers[HubHeader.replicaName] = "a%20machine"
            let before = try await hub.contents()
            let response = await hub.service.respond(to: request)
            #expect(response.status.code == refused.status)
            let failure = try #require(Failure(response))
            #expect(failure.code == refused.code)
            #expect(!failure.message.isEmpty)
            #expect((response.headers["WWW-Authenticate"] == "Bearer") == (refused.status == 401))
            try expectEnvelope(response, hub)
            #expect(try await hub.contents() == before)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func lostStoreIsAnsweredWithRetryAfter(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            for (code, status) in [(HubStorageError.Code.full, 507), (.failed, 503), (.corrupt, 503)] {
                let broken = BrokenStorage(storage: hub.storage, code: code)
                let service = try await HubService(storage: broken, time: hub.time)
                let response = await service.respond(to: hub.pushRequest([try mutation("a")]))
                #expect(response.status.code == status)
                #expect(response.headers["Retry-After"] != nil)
                #expect(Failure(response) != nil)
                try expectEnvelope(response, hub)
            }
            #expect(try await hub.page().items.isEmpty)
        }
    }
}

/// A store that can be read, and takes no write.
private struct BrokenStorage: HubStorage {
    let storage: any HubStorage
    let code: HubStorageError.Code

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        throw HubStorageError(code, "the disk is gone")
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any HubReading) throws -> Value) async throws -> Value {
        try await storage.read(body)
    }
}

/// Expects what every JSON answer carries.
func expectEnvelope(
    _ response: Response, _ hub: HubServiceFixture, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let line = response.bytes.split(separator: UInt8(ascii: "\n")).last ?? []
    let object = try #require(try JSON(parsing: Array(line)).object, sourceLocation: sourceLocation)
    #expect(object["hub_time"] == .int(hub.time.now), sourceLocation: sourceLocation)
    #expect(object["epoch"] == "epoch-1", sourceLocation: sourceLocation)
    #expect(object["protocol"] == ["min": 1, "max": 1], sourceLocation: sourceLocation)
    #expect(response.headers["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
}
