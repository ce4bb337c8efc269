import Curl
import HTTP
import MicroHTTPD
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPStreamTests {
    @Test(arguments: HTTPFixture.Kind.allCases)
    func chunksArriveBeforeTheStreamEnds(kind: HTTPFixture.Kind) async throws {
        let (stream, producer) = ByteStream.makeStream()
        try await HTTPFixture.with(kind) { _ in
            Response(.ok, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
        } body: { fixture async throws in
            let response = try await fixture.transport().open(Request(.get, ["events"]))
            #expect(response.headers["content-type"] == "text/event-stream")
            guard case .stream(let body) = response.body else { throw Failure() }
            var chunks = body.makeAsyncIterator()
            for text in ["one", "two", String(repeating: "three", count: 100_000)] {
                producer.yield(Array(text.utf8))
                var received = ""
                while received.utf8.count < text.utf8.count, let chunk = try await chunks.next() {
                    received += String(decoding: chunk, as: UTF8.self)
                }
                #expect(received == text)
            }
            producer.finish()
            #expect(try await chunks.next() == nil)
        }
    }

    @Test(arguments: HTTPFixture.Kind.allCases)
    func slowReaderHoldsBackItsProducer(kind: HTTPFixture.Kind) async throws {
        let produced = Counter()
        try await HTTPFixture.with(kind) { request in
            guard request.path == ["stream"] else { return Response(.ok) }
            return Response(.ok, body: .stream(ByteStream { produced.increase() <= 4_000 ? Self.chunk : nil }))
        } body: { fixture async throws in
            let transport = fixture.transport()
            let response = try await transport.open(Request(.get, ["stream"]))
            guard case .stream(let body) = response.body else { throw Failure() }
            var chunks = body.makeAsyncIterator()
            var received = 0
            // What the sockets hold: about 200 KiB in a Unix socket; a TCP connection grows its buffers to 10 MiB.
            let allowance = kind == .unix ? 2 << 20 : 24 << 20
            for _ in 0..<20 {
                for _ in 0..<10 { _ = try await transport.send(Request(.get, ["other"])) }
                received += try await chunks.next()?.count ?? 0
                #expect(produced.value * Self.chunk.count <= received + allowance)
            }
            while let chunk = try await chunks.next() { received += chunk.count }
            #expect(received == 4_000 * Self.chunk.count)
        }
    }

    @Test(arguments: HTTPFixture.Kind.allCases)
    func leavingReaderCancelsTheProducer(kind: HTTPFixture.Kind) async throws {
        let (asked, cancelled) = (Signal(), Signal())
        try await HTTPFixture.with(kind) { _ in
            let first = Counter()
            return Response(
                .ok,
                body: .stream(
                    ByteStream {
                        guard first.increase() > 1 else { return Array("first".utf8) }
                        asked.fire()
                        await Signal().waitOrCancellation()
                        cancelled.fire()
                        return nil
                    }))
        } body: { fixture async throws in
            let transport = fixture.transport()
            // A stream that is cancelled before it is asked again is not asked at all.
            try await Self.readOneChunk(transport, thenAwait: asked)
            await cancelled.wait()
        }
    }

    @Test func cancelledReaderCancelsTheProducer() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await HTTPFixture.with { _ in
            let stream = ByteStream {
                begun.fire()
                await Signal().waitOrCancellation()
                cancelled.fire()
                return nil
            }
            return Response(.ok, body: .stream(stream))
        } body: { fixture async throws in
            let transport = fixture.transport()
            let reader = Task { try await Self.readOneChunk(transport, thenAwait: Signal()) }
            await begun.wait()
            reader.cancel()
            await cancelled.wait()
            _ = await reader.result
        }
    }

    @Test func headersGoOutBeforeTheFirstChunk() async throws {
        try await HTTPFixture.with { _ in
            Response(
                .ok,
                body: .stream(
                    ByteStream {
                        await Signal().waitOrCancellation(); return nil
                    }))
        } body: { fixture async throws in
            #expect(try await fixture.transport().open(Request(.get, [])).status == .ok)
        }
    }

    @Test func failingStreamIsCutOff() async throws {
        try await HTTPFixture.with { _ in
            let first = Counter()
            return Response(
                .ok,
                body: .stream(
                    ByteStream {
                        guard first.increase() == 1 else { throw Failure() }
                        return Array("first".utf8)
                    }))
        } body: { fixture async throws in
            let transport = fixture.transport()
            let error = await #expect(throws: TransportError.self) { try await transport.send(Request(.get, [])) }
            #expect(error?.code == .interrupted)
        }
    }

    @Test func stoppingServerCutsOpenStreamsAtOnce() async throws {
        try await HTTPFixture.with { _ in
            let first = Counter()
            return Response(
                .ok,
                body: .stream(
                    ByteStream {
                        if first.increase() > 1 { await Signal().waitOrCancellation() }
                        return Array("event".utf8)
                    }))
        } body: { fixture async throws in
            let transport = fixture.transport()
            var open: [ByteStream] = []
            for _ in 0..<20 {
                guard case .stream(let body) = try await transport.open(Request(.get, [])).body else { throw Failure() }
                open.append(body)
            }
            await fixture.server.stop(deadline: .seconds(3_600))
            for stream in open {
                let error = await #expect(throws: TransportError.self) { for try await _ in stream {} }
                #expect(error?.code == .interrupted)
            }
        }
    }

    private static let chunk = [UInt8](repeating: 1, count: 64 << 10)

    private struct Failure: Error {}

    private static func readOneChunk(_ transport: CurlTransport, thenAwait signal: Signal) async throws {
        guard case .stream(let body) = try await transport.open(Request(.get, [])).body else { throw Failure() }
        for try await _ in body {
            await signal.wait()
            break
        }
    }
}
