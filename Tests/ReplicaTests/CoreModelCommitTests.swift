import Platform
import Replica
import Sync
import TandemItems
import Testing

/// What is told of a commit, and when.
@Suite(.timeLimit(.minutes(5))) struct CoreModelCommitTests {
    /// The next commits of a subscription that have changes.
    private func next(_ news: CommitSubscription) async -> [Commit] { await news.next()?.commits ?? [] }

    @Test(arguments: StorageKind.allCases) func eachKindOfChangeIsTold(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            let news = bench.model.commits.subscribe()
            let steps: [(FieldMap<JSON>, ItemChange.Kind, [FieldName])] = [
                ([.title: "x", .isCompleted: false], .inserted, [.isCompleted, .title]),
                ([.isCompleted: true], .updated, [.isCompleted]),
                ([.order: "k"], .updated, [.order]),
                ([.deleted: true], .removed, [.deleted]),
                ([.title: "y"], .inserted, [.deleted, .title]),
            ]
            for (set, kind, fields) in steps {
                let edited = try await bench.edit("a", set)
                let commits = await next(news)
                #expect(commits.map(\.source) == [.local])
                #expect(commits.map(\.list) == [.todo])
                #expect(commits.map(\.stamp) == [try await bench.model.lastStamp()])
                #expect(commits.flatMap(\.changes).map(\.kind) == [kind])
                #expect(commits.flatMap(\.changes).map(\.fields) == [fields])
                #expect(commits.flatMap(\.changes).map(\.item) == [edited.item])
            }
            try await bench.push()
            let confirmed = await next(news)
            #expect(confirmed.map(\.source) == [.remote])
            #expect(confirmed.flatMap(\.changes).map(\.kind) == [.confirmed])
            #expect(confirmed.flatMap(\.changes).map(\.fields) == [[]])
        }
    }

    @Test(arguments: StorageKind.allCases) func aConflictIsAnUpdate(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.edit("a", [.title: "mine"])
            try bench.hub.write("a", [.title: "theirs"], at: 0)
            let news = bench.model.commits.subscribe()
            try await bench.push()
            let change = await next(news).first?.changes.first
            #expect(change?.kind == .updated && change?.fields == [])
            #expect(change?.item.conflicts.count == 1)
        }
    }

    @Test(arguments: StorageKind.allCases) func whatIsShownNeitherBeforeNorAfterIsNotTold(_ kind: StorageKind)
        async throws
    {
        try await withModel(kind) { bench in
            try await bench.join()
            try await bench.pull()
            try bench.hub.write("a", [.title: "x"])
            try bench.hub.write("a", [.deleted: true])
            try bench.hub.write("b", [.title: "y"])
            let news = bench.model.commits.subscribe()
            try await bench.pull()
            #expect(await next(news).flatMap(\.changes).map(\.item.id.text) == ["b"])
        }
    }

    @Test(arguments: StorageKind.allCases) func refusedItemsAreTakenOffTheScreen(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.edit("a", [.title: "x"])
            let news = bench.model.commits.subscribe()
            let mutation = try await bench.pending()[0]
            try await bench.model.quarantine(mutation, Refusal(code: "no", message: "no"), in: .todo)
            #expect(await next(news).flatMap(\.changes).map(\.kind) == [.removed])
            try await bench.model.retryQuarantined(mutation.nonce.text)
            #expect(await next(news).flatMap(\.changes).map(\.kind) == [.inserted])
        }
    }

    @Test(arguments: StorageKind.allCases) func commitsComeInTheOrderOfTheirStamps(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let news = bench.model.commits.subscribe()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 { group.addTask { try await bench.edit("i\(index)", [.title: "x"]) } }
                try await group.waitForAll()
            }
            let commits = await next(news)
            #expect(commits.count == 40)
            #expect(commits.map(\.stamp) == commits.map(\.stamp).sorted())
        }
    }

    @Test func aCommitThatFailsTellsNothing() async throws {
        let bench = ModelBench(UncommittedStorage(try MemoryReplicaStorage(new: .forTests)))
        let news = bench.model.commits.subscribe()
        await #expect(throws: ReplicaStorageError.self) { try await bench.edit("a", [.title: "x"]) }
        let page = ChangesPage(items: [try makeItem("a")], cursor: try #require(Cursor("e.1.d")), head: Version(1))
        await #expect(throws: ReplicaStorageError.self) { _ = try await bench.model.apply(page, since: nil, in: .todo) }
        #expect(try await bench.ids() == [])
        bench.model.commits.end(news)
        #expect(await news.next() == nil)
    }
}

/// A store that does all and then cannot commit.
private struct UncommittedStorage: ReplicaStorage {
    let storage: MemoryReplicaStorage

    init(_ storage: MemoryReplicaStorage) { self.storage = storage }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await storage.write { store in
            _ = try body(store)
            throw ReplicaStorageError(.full, "no room")
        } committed: {
            committed($0)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaReading) throws -> Value
    ) async throws -> Value {
        try await storage.read(body)
    }
}
