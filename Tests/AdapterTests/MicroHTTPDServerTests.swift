import Curl
import Foundation
import HTTP
import MicroHTTPD
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MicroHTTPDServerTests {
    @Test(arguments: HTTPFixture.Kind.allCases)
    func tooLargeBodyIsRefusedAndTheConnectionGoesOn(kind: HTTPFixture.Kind) async throws {
        try await HTTPFixture.with(kind) {
            $0.maximumBodyBytes = 1_000
        } handler: { request in
            Response(.ok, body: .bytes(Array("\(request.body.count)".utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            for size in [1_001, 1_000, 8 << 20, 999] {
                let response = try await transport.send(Request(.post, [], body: Array(repeating: 1, count: size)))
                if size <= 1_000 {
                    #expect(response.text == "\(size)")
                } else {
                    #expect(response.status == .contentTooLarge)
                    #expect(response.text.hasPrefix(#"{"code":"too-large","#))
                }
            }
        }
    }

    @Test func tooLargeChunkedBodyIsRefused() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<3 { await socket.send("190\r\n" + String(repeating: "x", count: 400) + "\r\n") }
            await socket.send("0\r\n\r\n")
            #expect(await socket.receive(until: "}").hasPrefix("HTTP/1.1 413 "))
            await socket.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await socket.receive(until: "/next").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func requestThatGivesItsLengthInTwoWaysIsRefusedAndTheConnectionCloses() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send(
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                    + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = await socket.receive()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("ambiguous-length"))
            #expect(!answer.contains("/smuggled"))
        }
    }

    @Test func bodiesTogetherHaveABound() async throws {
        try await HTTPFixture.with {
            $0.maximumBodiesBytes = 1 << 20
        } handler: { request in
            Response(.ok, body: .bytes(Array("\(request.body.count)".utf8)))
        } body: { fixture async throws in
            let port = try #require(fixture.server.port)
            let long = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 900001\r\n\r\n"
            let first = try RawSocket.connected(toPort: port)
            await first.send(long + String(repeating: "x", count: 900_000))
            let second = try RawSocket.connected(toPort: port)
            await second.send(long + String(repeating: "x", count: 900_001))
            #expect(await second.receive(until: "}").hasPrefix("HTTP/1.1 503 "))
            let small = Request(.post, [], body: Array(repeating: 1, count: 60_000))
            let short = try await fixture.transport().send(small)
            #expect(short.text == "60000")
            await first.send("x")
            #expect(await first.receive(until: "900001").hasPrefix("HTTP/1.1 200 "))
            let whole = Request(.post, [], body: Array(repeating: 1, count: 900_000))
            let third = try await fixture.transport().send(whole)
            #expect(third.text == "900000")
            first.close()
            second.close()
        }
    }

    @Test func bodyThatIsAskedForFirstIsRefusedBeforeItIsSent() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n")
            #expect(await socket.receive().hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func endlessBodyClosesTheConnection() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n")
            #expect(await socket.receive().hasPrefix("HTTP/1.1 413 "))
        }
    }

    /// A request line or a head that no client of ours would send, and the status that it is answered with.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let text: String
        let status: String

        var testDescription: String { "\(status) for \(text.prefix(40).debugDescription)" }
    }

    @Test(
        arguments: [
            ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "400"), ("GET /%2 HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
            ("GET /a?b=%ff HTTP/1.1\r\nHost: x\r\n\r\n", "400"), ("GET a HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
            ("BREW /a HTTP/1.1\r\nHost: x\r\n\r\n", "405"), ("GET /a HTTP/9.1\r\n\r\n", "505"),
            ("what is this\r\n\r\n", "400"), ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "x", count: 100_000))\r\n\r\n", "431"),
            ("GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n", "414"),
        ].map(Malformed.init))
    func malformedRequestIsRefusedAndTheServerGoesOn(request: Malformed) async throws {
        let status = request.status
        try await withLimitedServer { socket async throws in
            await socket.send(request.text)
            let answer = await socket.receive(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") || answer.hasPrefix("HTTP/1.0 \(status) "))
            if status == "405" { #expect(answer.contains("Allow: GET, HEAD, POST, PUT, DELETE")) }
        }
    }

    @Test func headOfAStreamIsItsHeadersAlone() async throws {
        try await HTTPFixture.with { _ in
            Response(.ok, body: .stream(ByteStream { Array("x".utf8) }))
        } body: { fixture async throws in
            let socket = try RawSocket.connected(toPort: fixture.server.port ?? 0)
            await socket.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = await socket.receive()
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("\r\n\r\n"))
            #expect(!answer.contains("\r\n\r\n0"))
            socket.close()
        }
    }

    @Test func garbageClosesTheConnection() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send("\u{1}\u{2}garbage\r\n\r\n")
            _ = await socket.receive()
        }
    }

    @Test func absoluteTargetIsUnderstood() async throws {
        try await withLimitedServer { socket async throws in
            await socket.send("GET http://x:1/abc?d HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await socket.receive(until: "/abc").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withLimitedServer { socket async throws in
            let names = (1...20).map { "/r\($0)-" }
            await socket.send(names.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            let answer = await socket.receive(until: "/r20-")
            let places = names.compactMap { answer.range(of: $0)?.lowerBound }
            #expect(places.count == 20)
            #expect(places == places.sorted())
        }
    }

    @Test func waitingRequestsHoldNoThread() async throws {
        let (arrived, release, all) = (Counter(), Signal(), Signal())
        try await HTTPFixture.with { request in
            if arrived.increase() == 200 { all.fire() }
            await release.wait()
            return Response(.ok, body: .bytes(Array(request.path[0].utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            let before = try threads()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask { try await transport.send(Request(.get, ["\(number)"])).text == "\(number)" }
                }
                await all.wait()
                #expect(try threads() < before + 150)  // other tests run beside this one
                release.fire()
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func leavingClientCancelsItsHandler() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await HTTPFixture.with { _ in
            begun.fire()
            await Signal().waitOrCancellation()
            cancelled.fire()
            return Response(.ok)
        } body: { fixture async throws in
            let socket = try RawSocket.connected(toPort: fixture.server.port ?? 0)
            await socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await begun.wait()
            socket.close()
            await cancelled.wait()
        }
    }

    @Test func idleConnectionIsClosedButNotAWaitingOne() async throws {
        let (release, idleIsOver) = (Signal(), Signal())
        try await HTTPFixture.with {
            $0.idleTimeout = .seconds(1)
        } handler: { _ in
            await release.wait()
            return Response(.ok)
        } body: { fixture async throws in
            let port = fixture.server.port ?? 0
            let waiting = try RawSocket.connected(toPort: port)
            await waiting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for partial in ["", "GET / HTTP/1.1\r\nHo"] {
                let idle = try RawSocket.connected(toPort: port)
                await idle.send(partial)
                #expect(await idle.receive() == "")
                idle.close()
            }
            idleIsOver.fire()
            release.fire()
            #expect(await waiting.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            waiting.close()
        }
    }

    @Test func runningRequestIsAnsweredWhenTheServerStops() async throws {
        let (begun, release) = (Signal(), Signal())
        try await HTTPFixture.with { request in
            guard request.path == ["slow"] else { return Response(.ok) }
            begun.fire()
            await release.wait()
            return Response(.ok, body: .bytes(Array("done".utf8)))
        } body: { fixture async throws in
            let transport = fixture.transport()
            async let answer = transport.send(Request(.get, ["slow"]))
            await begun.wait()
            async let stopped: Void = fixture.server.stop(deadline: .seconds(3_600))
            // New clients are turned away from some moment on.
            while (try? await fixture.transport().send(Request(.get, ["quick"]))) != nil {}
            release.fire()
            #expect(try await answer.text == "done")
            await stopped
        }
    }

    @Test func deadlineEndsARequestThatDoesNotEnd() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await HTTPFixture.with { _ in
            begun.fire()
            await Signal().waitOrCancellation()
            cancelled.fire()
            return Response(.ok)
        } body: { fixture async throws in
            let transport = fixture.transport()
            let answer = Task { try await transport.send(Request(.get, [])) }
            await begun.wait()
            await fixture.server.stop(deadline: .milliseconds(20))
            await cancelled.wait()
            let error = await #expect(throws: TransportError.self) { try await answer.value }
            #expect(error?.code == .interrupted)
        }
    }

    private func withLimitedServer(_ body: (RawSocket) async throws -> Void) async throws {
        try await HTTPFixture.with {
            $0.maximumBodyBytes = 1_000
        } handler: { request in
            Response(.ok, body: .bytes(Array("/\(request.path.joined(separator: "/"))".utf8)))
        } body: { fixture async throws in
            let socket = try RawSocket.connected(toPort: fixture.server.port ?? 0)
            try await body(socket)
            socket.close()
            #expect(try await fixture.transport().send(Request(.get, ["after"])).text == "/after")
        }
    }

    /// How many threads of the process are a library's: those of the stores that other tests block beside this one
    /// do not count. A thread of a task is not among them either, but there are too few of those to hold 200 requests.
    private func threads() throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return tasks.count { task in
            // A thread that has ended in between has no name any more.
            let name = (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) ?? ""
            return name.hasPrefix("MHD-") || name.hasPrefix("curl")
        }
    }
}
