import Curl
import Foundation
import HTTP
import MicroHTTPD
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPRoundTripTests {
    @Test(arguments: HTTPFixture.Kind.allCases)
    func everythingOfARequestArrives(kind: HTTPFixture.Kind) async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let seen = Signal()
        try await HTTPFixture.with(kind) { request in
            #expect(request.method == .put)
            #expect(request.path == ["v1", "lists", "a/b 🦆", "..", "%2F"])
            #expect(request.query.map(\.name) == ["filter", "empty", "filter"])
            #expect(request.query.map(\.value) == ["a+b & c=ä", "", "2"])
            #expect(request.headers["x-one"] == "first")
            #expect(request.headers["X-Empty"] == "")
            seen.fire()
            return Response(.created, headers: ["X-Answer": "yes: ä"], body: .bytes(request.body))
        } body: { fixture async throws in
            let request = Request(
                .put, ["v1", "lists", "a/b 🦆", "..", "%2F"],
                query: [("filter", "a+b & c=ä"), ("empty", ""), ("filter", "2")],
                headers: ["X-One": "first", "X-Empty": ""], body: body)
            let response = try await fixture.transport().send(request)
            #expect(response.status == .created)
            #expect(response.headers["x-answer"] == "yes: ä")
            #expect(response.bytes == body)
            #expect(seen.hasFired)
        }
    }

    @Test(arguments: [Method.get, .post, .put, .delete])
    func everyMethodArrivesWithAndWithoutABody(method: HTTP.Method) async throws {
        try await HTTPFixture.with { request in
            #expect(request.headers["Expect"] == nil)
            #expect(request.headers["Content-Type"] == nil)
            return Response(.ok, body: .bytes(Array("\(request.method.rawValue) \(request.body.count)".utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            #expect(try await transport.send(Request(method, [])).text == "\(method.rawValue) 0")
            let large = Request(method, [], body: Array(repeating: 7, count: 2_000_000))
            #expect(try await transport.send(large).text == "\(method.rawValue) 2000000")
        }
    }

    @Test func headAnswersWithoutABody() async throws {
        try await HTTPFixture.with { request in
            #expect(request.method == .head)
            if request.path == ["stream"] { return Response(.ok, body: .stream(ByteStream { Array("x".utf8) })) }
            return Response(.ok, headers: ["X-A": "b"], body: .bytes(Array("12345".utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            let whole = try await transport.send(Request(.head, ["whole"]))
            #expect(whole.headers["Content-Length"] == "5")
            #expect(whole.headers["X-A"] == "b")
            #expect(whole.bytes.isEmpty)
            #expect(try await transport.send(Request(.head, ["stream"])).bytes.isEmpty)
            #expect(try await transport.send(Request(.head, ["again"])).status == .ok)
        }
    }

    @Test func answersWithoutContentKeepTheConnection() async throws {
        try await HTTPFixture.with { _ in
            Response(.noContent, body: .bytes(Array("not sent".utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            for _ in 0..<3 {
                let response = try await transport.send(Request(.delete, ["x"]))
                #expect(response.status == .noContent)
                #expect(response.bytes.isEmpty)
            }
        }
    }

    @Test func defaultHeadersAreSentUnlessTheRequestHasItsOwn() async throws {
        try await HTTPFixture.with { request in
            Response(.ok, body: .bytes(Array((request.headers["Authorization"] ?? "none").utf8)))
        } body: { fixture async throws in
            var options = CurlTransport.Options()
            options.headers = ["Authorization": "Bearer one"]
            let transport = fixture.transport(options)
            #expect(try await transport.send(Request(.get, [])).text == "Bearer one")
            let own = Request(.get, [], headers: ["authorization": "Bearer two"])
            #expect(try await transport.send(own).text == "Bearer two")
        }
    }

    @Test func pathPrefixStandsBeforeEveryPath() async throws {
        try await HTTPFixture.with { request in
            Response(.ok, body: .bytes(Array(request.path.joined(separator: "|").utf8)))
        } body: { fixture async throws in
            var options = CurlTransport.Options()
            options.proxy = ""
            let transport = CurlTransport(endpoint: Endpoint(base: fixture.endpoint.base + "/a/b/"), options: options)
            #expect(try await transport.send(Request(.get, ["c"])).text == "a|b|c")
        }
    }

    @Test func tlsIsSpokenAndChecked() async throws {
        try await HTTPFixture.with {
            $0.tls = ServerConfiguration.TLS(certificate: TLSFixture.certificate, key: TLSFixture.key)
        } handler: { request in
            Response(.ok, body: .bytes(request.body))
        } body: { fixture async throws in
            let file = fixture.directory + "/ca.pem"
            try TLSFixture.certificate.write(toFile: file, atomically: true, encoding: .utf8)
            var options = CurlTransport.Options()
            options.certificateAuthorityFile = file
            let trusting = fixture.transport(options)
            let body = [UInt8](repeating: 5, count: 100_000)
            #expect(try await trusting.send(Request(.post, [], body: body)).bytes == body)
            let error = await #expect(throws: TransportError.self) {
                try await fixture.transport().send(Request(.get, []))
            }
            #expect(error?.code == .insecure)
        }
    }
}
