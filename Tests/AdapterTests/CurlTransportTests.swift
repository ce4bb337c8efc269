import Curl
import Foundation
import HTTP
import Testing

/// How failures of the wire come out. Each test has a server of its own that says exactly what the case needs.
@Suite(.timeLimit(.minutes(5)))
struct CurlTransportTests {
    @Test func refusedConnectionIsUnreachable() async throws {
        let (socket, port) = try RawSocket.listening()
        socket.close()
        #expect(await code(of: transport(port)) == .unreachable)
        #expect(await code(of: transport(port), open: true) == .unreachable)
    }

    @Test func missingSocketFileIsUnreachable() async {
        let transport = CurlTransport(endpoint: Endpoint(unixSocket: "/nonexistent/socket"))
        #expect(await code(of: transport) == .unreachable)
    }

    @Test func headerWithALineBreakIsNotSent() async throws {
        let (socket, port) = try RawSocket.listening()
        let request = Request(.get, [], headers: ["Authorization": "Bearer x\r\nX-Evil: 1"])
        #expect(await code(of: transport(port), request) == .unreachable)
        socket.close()
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let answer: String
        let code: TransportError.Code

        var testDescription: String { "\(code) for \(answer.prefix(40).debugDescription)" }
    }

    @Test(
        arguments: [
            ("", TransportError.Code.interrupted),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .interrupted),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", .interrupted),
            ("HTTP/1.1 200 OK\r\nContent-Le", .interrupted),
            ("220 mail.example ESMTP\r\n", .malformed), ("SSH-2.0-OpenSSH_9.2\r\n", .malformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n", .tooLarge),
            ("HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "x", count: 4_000))", .tooLarge),
        ].map(Broken.init))
    func brokenAnswersAreToldApart(broken: Broken) async throws {
        try await withScript(broken.answer) { port async throws in
            #expect(await code(of: transport(port) { $0.maximumResponseBytes = 1_000 }) == broken.code)
        }
    }

    @Test func streamThatBreaksOffThrowsAfterWhatCame() async throws {
        try await withScript("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") { port async throws in
            guard case .stream(let body) = try await transport(port).open(Request(.get, [])).body else { return }
            var received: [UInt8] = []
            let error = await #expect(throws: TransportError.self) {
                for try await chunk in body { received += chunk }
            }
            #expect(error?.code == .interrupted)
            #expect(received == Array("abc".utf8))
        }
    }

    @Test func interimAnswersAreSkipped() async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 404 Not Found\r\nX-Late: 2\r\nContent-Length: 0\r\n\r\n"
        try await withScript(answer) { port async throws in
            let response = try await transport(port).send(Request(.get, []))
            #expect(response.status == .notFound)
            #expect(response.headers["X-Late"] == "2")
            #expect(response.headers["X-Early"] == nil)
        }
    }

    @Test func redirectIsAnAnswer() async throws {
        let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        try await withScript(answer) { port async throws in
            #expect(try await transport(port).send(Request(.get, [])).status == Status(302))
        }
    }

    @Test func plainServerIsInsecureForTLS() async throws {
        try await withScript("HTTP/1.1 400 Bad Request\r\n\r\n", until: nil) { port async throws in
            #expect(await code(of: transport(port, scheme: "https")) == .insecure)
        }
    }

    @Test func silentServerEndsByTimeout() async throws {
        let (socket, port) = try RawSocket.listening()
        let total = transport(port) { $0.totalTimeout = .seconds(1) }
        #expect(await code(of: total) == .interrupted)
        let stalled = transport(port) {
            $0.totalTimeout = nil
            $0.stallTimeout = .seconds(1)
        }
        #expect(await code(of: stalled) == .interrupted)
        #expect(await code(of: stalled, open: true) == .interrupted)
        socket.close()
    }

    @Test func stalledStreamEnds() async throws {
        let (socket, port) = try RawSocket.listening()
        let transport = transport(port) { $0.stallTimeout = .seconds(5) }
        async let opened = transport.open(Request(.get, []))
        let connection = await socket.accepted()
        await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
        guard case .stream(let body) = try await opened.body else { return }
        let error = await #expect(throws: TransportError.self) { for try await _ in body {} }
        #expect(error?.code == .interrupted)
        connection.close()
        socket.close()
    }

    @Test func cancellationEndsARequest() async throws {
        let (socket, port) = try RawSocket.listening()
        let transport = transport(port)
        let waiting = Task { await code(of: transport) }
        let connection = await socket.accepted()
        _ = await connection.receive(until: "\r\n\r\n")
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(await connection.receive() == "")  // the connection is closed
        connection.close()
        socket.close()
    }

    @Test func cancelledTaskSendsNothing() async throws {
        let (socket, port) = try RawSocket.listening()
        let transport = transport(port)
        let task = Task {
            await Signal().waitOrCancellation()
            return await code(of: transport)
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        socket.close()
    }

    @Test func connectionIsUsedAgainAndClosesWithItsTransport() async throws {
        let (socket, port) = try RawSocket.listening()
        let client = Task { () async throws in
            let transport = transport(port)
            for number in 0..<3 { #expect(try await transport.send(Request(.get, [])).text == "\(number)") }
        }
        let connection = await socket.accepted()
        for number in 0..<3 {
            _ = await connection.receive(until: "\r\n\r\n")
            await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
        }
        #expect(await connection.receive() == "")
        try await client.value
        connection.close()
        socket.close()
    }

    @Test func transportsMayShareAThread() async throws {
        try await HTTPFixture.with { request in
            Response(.ok, body: .bytes(Array((request.headers["X-Who"] ?? "").utf8)))
        } body: { fixture async throws in
            let thread = CurlThread()
            let transports = (0..<20).map { number in
                var options = CurlTransport.Options()
                options.proxy = ""
                options.headers = ["X-Who": "\(number)"]
                return CurlTransport(endpoint: fixture.endpoint, options: options, thread: thread)
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, transport) in transports.enumerated() {
                    group.addTask { try await transport.send(Request(.get, [])).text == "\(number)" }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    private func transport(
        _ port: UInt16, scheme: String = "http", configure: (inout CurlTransport.Options) -> Void = { _ in }
    ) -> CurlTransport {
        var options = CurlTransport.Options()
        options.proxy = ""
        configure(&options)
        return CurlTransport(endpoint: Endpoint(base: "\(scheme)://127.0.0.1:\(port)"), options: options)
    }

    private func code(
        of transport: CurlTransport, _ request: Request = Request(.get, ["x"]), open: Bool = false
    ) async -> TransportError.Code? {
        do throws(TransportError) {
            _ = open ? try await transport.open(request) : try await transport.send(request)
            return nil
        } catch {
            return error.code
        }
    }

    /// Answers one connection with a text as soon as a request's end has come, then closes it.
    private func withScript(
        _ answer: String, until end: String? = "\r\n\r\n", _ body: (UInt16) async throws -> Void
    ) async throws {
        let (socket, port) = try RawSocket.listening()
        async let served: Void = {
            let connection = await socket.accepted()
            if let end { _ = await connection.receive(until: end) }
            await connection.send(answer)
            connection.close()
        }()
        try await body(port)
        await served
        socket.close()
    }
}
