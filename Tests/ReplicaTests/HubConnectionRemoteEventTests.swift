import HTTP
import Platform
import Remote
import Sync
import TandemItems
import Testing
import Wire

@Suite(.timeLimit(.minutes(5)))
struct RemoteHubEventTests {
    /// A hub whose event stream is what the test feeds to it.
    private struct Fixture {
        let hub: RemoteHub
        let time = ManualTime()
        let feed: ByteStream.Continuation

        init() throws {
            let (stream, feed) = ByteStream.makeStream()
            self.feed = feed
            let response = Response(eventStream: stream)
            let author = RemoteHub.Author(token: "t", replica: try ReplicaID("r1"), name: "a machine")
            hub = RemoteHub(ScriptedTransport(response), author: author, time: time)
        }

        func feed(_ text: String) { feed.yield(Array(text.utf8)) }
    }

    @Test func eventsAreReadHoweverTheirBytesCome() async throws {
        let fixture = try Fixture()
        let text =
            "event: hello\ndata: {\"epoch\":\"e\"}\n\nevent: head\ndata: {\"list\":\"todo\",\"head\":7}\n\n"
            + ": heartbeat\n\nevent: later\ndata: what a newer hub tells\n\nevent: head\ndata: {\"list\":\"b\",\"head\":8}\n\n"
        for byte in text.utf8 { fixture.feed.yield([byte]) }
        fixture.feed.finish()
        var events: [HubEvent] = []
        let stream = try await fixture.hub.events()
        fixture.time.advance(by: .seconds(15))
        for try await event in stream { events.append(event) }
        #expect(events == [.head(.todo, Version(7)), .heartbeat, .head(try ListName("b"), Version(8))])
    }

    @Test(arguments: [
        "no JSON", "{}", #"{"list":"todo"}"#, #"{"list":"a b","head":1}"#, #"{"list":"todo","head":"1"}"#,
    ])
    func headThatCannotBeReadEndsTheStream(data: String) async throws {
        let fixture = try Fixture()
        fixture.feed("event: head\ndata: \(data)\n\n")
        var events = try await fixture.hub.events().makeAsyncIterator()
        let error = await #expect(throws: HubError.self) { try await events.next() }
        #expect(error?.code == .rejected)
    }

    @Test func brokenStreamIsInterrupted() async throws {
        let fixture = try Fixture()
        fixture.feed(": heartbeat\n\n")
        fixture.feed.finish(throwing: TransportError(.interrupted, "the connection was reset"))
        var events = try await fixture.hub.events().makeAsyncIterator()
        fixture.time.advance(by: .seconds(15))
        #expect(try await events.next() == .heartbeat)
        let error = await #expect(throws: HubError.self) { try await events.next() }
        #expect(error?.code == .interrupted && error?.message.hasSuffix("the connection was reset") == true)
    }

    @Test func heartbeatsThatComeAtOnceSayNothing() async throws {
        let fixture = try Fixture()
        fixture.feed(String(repeating: ": heartbeat\n\n", count: 1_000))
        fixture.feed("event: head\ndata: {\"list\":\"b\",\"head\":8}\n\n")
        var events = try await fixture.hub.events().makeAsyncIterator()
        #expect(try await events.next() == .head(try ListName("b"), Version(8)))
        fixture.time.advance(by: .seconds(15))
        fixture.feed(":\n:\n:\n")
        fixture.feed.finish()
        #expect(try await events.next() == .heartbeat)
        #expect(try await events.next() == nil)
    }

    @Test func muteStreamIsInterruptedOnceItsPatienceEnds() async throws {
        let fixture = try Fixture()
        let events = try await fixture.hub.events()
        let (heard, hears) = AsyncStream<HubEvent>.makeStream()
        let reading = Task {
            for try await event in events { hears.yield(event) }
        }
        var beats = heard.makeAsyncIterator()
        for _ in 1...3 {
            await fixture.time.sleepers(atLeast: 1)
            fixture.time.advance(by: RemoteHub.patience - .milliseconds(1))
            fixture.feed(": heartbeat\n\n")
            #expect(await beats.next() == .heartbeat)
        }
        await fixture.time.sleepers(atLeast: 1)
        fixture.time.advance(by: RemoteHub.patience)
        let error = await #expect(throws: HubError.self) { try await reading.value }
        #expect(error?.code == .interrupted)
        #expect(error?.message.contains("45 s") == true)
    }

    @Test func hubThatDoesNotAnswerIsInterrupted() async throws {
        let time = ManualTime()
        let author = RemoteHub.Author(token: "t", replica: try ReplicaID("r1"), name: "a machine")
        let hub = RemoteHub(SilentTransport(), author: author, time: time)
        let opening = Task {
            await expectHubError(.interrupted) { () async throws(HubError) in try await hub.events() }
        }
        await time.sleepers(atLeast: 1)
        time.advance(by: RemoteHub.patience)
        _ = await opening.value
    }

    @Test func refusalThatTricklesInIsReadAsFarAsItComes() async throws {
        let time = ManualTime()
        let (asks, asked) = AsyncStream<Void>.makeStream()
        let body = TricklingBody(asked)
        let response = Response(.unavailable, body: .stream(ByteStream { await body.next() }))
        let author = RemoteHub.Author(token: "t", replica: try ReplicaID("r1"), name: "a machine")
        let hub = RemoteHub(ScriptedTransport(response), author: author, time: time)
        let opening = Task {
            await expectHubError(.busy) { () async throws(HubError) in try await hub.events() }
        }
        for await _ in asks { break }
        await time.sleepers(atLeast: 1)
        time.advance(by: RemoteHub.patience)
        _ = await opening.value
    }

    @Test func cancelledReaderClosesTheExchange() async throws {
        let fixture = try Fixture()
        let (closed, hasClosed) = AsyncStream<Void>.makeStream()
        fixture.feed.onTermination = { _ in hasClosed.finish() }
        let events = try await fixture.hub.events()
        let reading = Task { for try await _ in events {} }
        await fixture.time.sleepers(atLeast: 1)
        reading.cancel()
        _ = await reading.result
        for await _ in closed {}
    }
}

/// Never answers; gives up when it is cancelled.
private struct SilentTransport: Transport {
    func send(_ request: Request) async throws(TransportError) -> Response {
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        throw TransportError(.cancelled, "cancelled")
    }

    func open(_ request: Request) async throws(TransportError) -> Response { try await send(request) }
}

/// One piece, and nothing more until the reader gives up.
private actor TricklingBody {
    private let asked: AsyncStream<Void>.Continuation
    private var isFirst = true

    init(_ asked: AsyncStream<Void>.Continuation) { self.asked = asked }

    func next() async -> [UInt8]? {
        defer { isFirst = false }
        guard !isFirst else { return Array("<html>".utf8) }
        asked.yield()
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }
}
