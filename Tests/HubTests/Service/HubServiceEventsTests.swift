import HTTP
import Hub
import Platform
import Synchronization
import TandemItems
import Testing
import Wire

@Suite("HubService events", .timeLimit(.minutes(2)))
struct HubServiceEventsTests {
    /// Opens a stream and reads what it begins with: the greeting and the head of each list.
    private func open(_ hub: HubServiceFixture, token: String? = nil, heads: [Int64]) async throws -> EventTape {
        let response = await hub.service.respond(to: hub.request(.events, token: token))
        #expect(response.status == .ok)
        #expect(response.headers["X-Accel-Buffering"] == "no")
        #expect(response.headers["Content-Type"] == MediaType.eventStream)
        var tape = try EventTape(response)
        guard case .event(let hello) = try await tape.next() else { throw Failure.unknownRoute }
        #expect(hello.name == "hello")
        #expect(try JSON(parsing: Array(hello.data.utf8)).object?["epoch"] == "epoch-1")
        for head in heads { #expect(try await tape.head() == head) }
        return tape
    }

    @Test(arguments: StorageKind.allCases)
    func streamBeginsWithTheHeadsAsTheyAre(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a"))
            let both = try await hub.administration.addToken(
                "both", role: .reader, lists: [.todo, try ListName("other")])
            _ = try await open(hub, token: both, heads: [1, 0])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func headIsToldOnceItCanBeRead(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var tape = try await open(hub, heads: [0])
            let pushes = Task {
                for n in 1...20 { try await hub.push(try mutation("a\(n)", n: Int64(n))) }
            }
            var head: Int64 = 0
            while head < 20 {
                let next = try #require(try await tape.head())
                #expect(next > head)
                head = next
                #expect(try await hub.page().head.number >= head)
            }
            try await pushes.value
        }
    }

    @Test(arguments: StorageKind.allCases)
    func headsThatNobodyReadBecomeOne(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var tape = try await open(hub, heads: [0])
            for n in 1...9 { try await hub.push(try mutation("a", n: Int64(n))) }
            var heads: [Int64] = []
            while heads.last != 9 { heads.append(try #require(try await tape.head())) }
            // Those that came before the first was read are one; two more may be on their way.
            #expect(heads.count <= 3)
            try await hub.withHeartbeats { () async throws in
                await hub.beat()
                #expect(try await tape.next() == .heartbeat)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func pushThatChangesNothingIsNoNews(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a"))
            var tape = try await open(hub, heads: [1])
            try await hub.push(try mutation("a"))
            let large = JSON.string(String(repeating: "x", count: 2_000))
            try await hub.push(try mutation("b", set: [.title: large], n: 2))
            try await hub.withHeartbeats { () async throws in
                await hub.beat()
                #expect(try await tape.next() == .heartbeat)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func otherListsAreNoNews(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var tape = try await open(hub, heads: [0])
            let other = try ListName("other")
            let token = try await hub.administration.addToken("other", role: .editor, lists: [other])
            _ = try await hub.json(hub.pushRequest([try mutation("secret")], token: token, to: other))
            try await hub.push(try mutation("a"))
            #expect(try await tape.head() == 1)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func idleStreamHasHeartbeats(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            var tape = try await open(hub, heads: [0])
            try await hub.withHeartbeats { () async throws in
                for _ in 1...3 {
                    await hub.beat()
                    #expect(try await tape.next() == .heartbeat)
                }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func streamEndsWithTheTokensRights(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let guest = try await hub.administration.addToken(
                "guest", role: .reader, lists: [.todo], lifetime: .seconds(40))
            let other = try await hub.administration.addToken(
                "other", role: .reader, lists: [.todo, try ListName("other")])
            var (revoked, expiring, losing, staying) = (
                try await open(hub, token: hub.reader, heads: [0]), try await open(hub, token: guest, heads: [0]),
                try await open(hub, token: other, heads: [0, 0]), try await open(hub, heads: [0])
            )
            try await hub.withHeartbeats { () async throws in
                try await hub.administration.revokeToken("reader")
                await hub.beat()
                #expect(try await revoked.next() == nil)
                #expect(try await losing.next() == .heartbeat)
                #expect(try await expiring.next() == .heartbeat)
                try await hub.administration.removeList(try ListName("other"))
                await hub.beat()
                #expect(try await losing.next() == nil)
                #expect(try await expiring.next() == .heartbeat)
                await hub.beat()
                #expect(try await expiring.next() == nil)
                #expect(try await staying.next() == .heartbeat)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func rightsThatChangeWhileAStreamOpensEndIt(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let hash = TokenSecret.hash(hub.editor)
            let storage = ChangingStorage(storage: hub.storage) { store in
                guard var token = try store.token(hash: hash) else { return }
                token.lists.append(try ListName("other"))
                try store.put(token)
            }
            let service = try await HubService(
                storage: storage, configuration: hub.configuration, time: hub.time)
            var tape = try EventTape(await service.respond(to: hub.request(.events)))
            _ = try await tape.next()
            #expect(try await tape.head() == 0)
            #expect(try await tape.head() == 0)
            let beats = Task { try await service.run() }  // Ended below.
            await hub.time.sleepers(atLeast: 1)
            hub.time.advance(by: hub.configuration.heartbeat)
            #expect(try await tape.next() == nil)
            beats.cancel()
        }
    }

    @Test(arguments: StorageKind.allCases)
    func cancelledReaderEndsItsStream(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let tape = try await open(hub, heads: [0])
            let reader = Task { [tape] in
                var tape = tape
                return try await tape.next()
            }
            reader.cancel()
            #expect(try await reader.value == nil)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func fiveHundredStreamsHearOfAPush(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let heads = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 1...500 {
                    let tape = try await open(hub, heads: [0])
                    group.addTask { [tape] in
                        var tape = tape
                        return try await tape.head()
                    }
                }
                let metrics = await hub.service.respond(to: HubRoute.metrics.request)
                #expect(String(decoding: metrics.bytes, as: UTF8.self).contains("tandem_hub_event_streams 500\n"))
                try await hub.push(try mutation("a"))
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(heads == Array(repeating: 1, count: 500))
        }
    }
}

/// A store on which something happens between the second read and the third: the service reads at its start, and twice
/// to open a stream.
private final class ChangingStorage: HubStorage {
    private let storage: any HubStorage
    private let change: @Sendable (any HubTransaction) throws -> Void
    private let reads = Mutex(0)

    init(storage: any HubStorage, change: @escaping @Sendable (any HubTransaction) throws -> Void) {
        self.storage = storage
        self.change = change
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await storage.write(body, committed: committed)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any HubReading) throws -> Value) async throws -> Value {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        if number == 3 { try await storage.write(change) }
        return try await storage.read(body)
    }
}
