import HTTP
import TandemClient
import Testing
import Wire

/// Reading a list page by page.
@Suite(.timeLimit(.minutes(5)))
struct DaemonConnectionItemsTests {
    private func connection(to daemon: PagedItems, maximumBytes: Int = 64 << 20) -> DaemonConnection {
        DaemonConnection(transport: BoundedTransport(handler: daemon, maximumBytes: maximumBytes))
    }

    @Test(arguments: [0, 1, 255, 256, 257, 5_000])
    func allItemsComeInOrder(count: Int) async throws {
        let daemon = PagedItems(try makeItems(0..<count))
        #expect(try await connection(to: daemon).items(in: .todo) == daemon.items.value)
    }

    @Test func pagesGrowAndEachHasALimit() async throws {
        let daemon = PagedItems(try makeItems(0..<5_000))
        _ = try await connection(to: daemon).items(in: .todo)
        let limits = daemon.requests.value.compactMap { $0.parameter("limit").flatMap { Int($0) } }
        #expect(limits.count == daemon.requests.value.count)
        #expect(limits.prefix(3) == [256, 512, 1_024])
    }

    @Test func itemsTooLargeForAPageAreAskedForInSmallerOnes() async throws {
        let daemon = PagedItems(try makeItems(0..<40, padding: 10_000))
        #expect(try await connection(to: daemon, maximumBytes: 25_000).items(in: .todo) == daemon.items.value)
    }

    @Test func anItemTooLargeForAnyPageIsAnError() async throws {
        let daemon = PagedItems(try makeItems(0..<40, padding: 10_000))
        let error = await #expect(throws: DaemonError.self) {
            try await connection(to: daemon, maximumBytes: 5_000).items(in: .todo)
        }
        #expect(error?.code == DaemonError.answerTooLarge)
        #expect(daemon.requests.value.count < 10)
    }

    @Test func limitAndStartAreKept() async throws {
        let items = try makeItems(0..<3_000)
        let daemon = PagedItems(items)
        let query = ItemsQuery(text: "x", isCompleted: false, limit: 1_000, after: items[9].id)
        #expect(try await connection(to: daemon).items(in: .todo, query) == Array(items[10..<1_010]))
        for request in daemon.requests.value {
            #expect(request.parameter("text") == "x")
            #expect(request.parameter("completed") == "false")
        }
    }

    @Test func listIsReadAnewWhenTheEndOfAPageIsGone() async throws {
        let items = try makeItems(0..<600)
        let daemon = PagedItems(items) { daemon, request in
            if request == 2 { daemon.items.update { _ = $0.remove(at: 255) } }
        }
        #expect(try await connection(to: daemon).items(in: .todo) == Array(items[..<255] + items[256...]))
    }

    @Test func itemThatMovesMeanwhileComesOnceWhereItIsNow() async throws {
        let items = try makeItems(0..<600)
        let daemon = PagedItems(items) { daemon, request in
            if request == 2 { daemon.items.update { $0.append($0.remove(at: 3)) } }
        }
        let read = try await connection(to: daemon).items(in: .todo)
        #expect(read == daemon.items.value)
    }

    @Test func daemonThatKnowsNoPagesIsFoundOut() async throws {
        let page = makeLines(try makeItems(0..<256))
        let daemon = ScriptedDaemon { _ in Response(.ok, jsonLines: page) }
        let query = ItemsQuery(limit: 512)
        let error = await #expect(throws: DaemonError.self) { try await daemon.connection.items(in: .todo, query) }
        #expect(error?.code == DaemonError.unexpectedAnswer)
    }

    /// Pages are places in the list's own order: a sorted answer is one, read as it comes.
    @Test func sortedItemsComeInOnePieceOfAnySize() async throws {
        let items = try makeItems(0..<500)
        let daemon = PagedItems(items)
        let read = try await connection(to: daemon, maximumBytes: 1_000).items(in: .todo, ItemsQuery(sort: "-title"))
        #expect(read == items)
        #expect(daemon.requests.value.map(\.target) == ["/v1/lists/todo/items?sort=-title"])
    }
}
