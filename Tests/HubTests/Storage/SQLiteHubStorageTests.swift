import Hub
@testable import HubStore
import Platform
import SQLite
import Synchronization
import TandemItems
import TestSupport
import Testing

/// What the SQLite store promises beyond the port: durability, groups, several processes.
@Suite(.timeLimit(.minutes(2)))
struct SQLiteHubStorageTests {
    @Test func closedStoreOpensAgainWithEverything() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            try await storage.write { try $0.accept(mutation("a")) }
            await storage.close()
            #expect(try Files.names(in: directory) == ["hub.sqlite"])
            let again = try await SQLiteHubStorage(directory: directory) {
                Issue.record("a store that is there keeps its epoch")
                return Epoch("epoch-2")
            }
            #expect(try await again.read { try $0.epoch() } == Epoch("epoch-1"))
            #expect(try await again.read { try $0.page() } == ["a"])
            try await again.write { try $0.accept(mutation("b", n: 2)) }
            #expect(try await again.check() == [])
            await again.close()
        }
    }

    @Test func closedStoreRefusesAndCanBeClosedAgain() async throws {
        try await withSQLiteStorage { storage, _ async throws in
            await storage.close()
            await storage.close()
            await #expect(throws: HubStorageError.self) { try await storage.write { try $0.accept(mutation("a")) } }
            await #expect(throws: HubStorageError.self) { try await storage.read { try $0.page() } }
        }
    }

    @Test func closeFinishesWhatIsQueued() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            try await queueWrites(10, on: storage) { n in
                _ = try await storage.write { try $0.accept(mutation("\(n)", n: n)) }
            } released: {
                await storage.close()
            }
            let again = try await openStorage(directory)
            #expect(try await again.read { try $0.page().count } == 10)
            await again.close()
        }
    }

    @Test func queuedBodiesShareOneCommit() async throws {
        let statements = Statements()
        var options = HubStoreOptions()
        options.beforeWriterStep = { statements.add($0) }
        try await withSQLiteStorage(options: options) { storage, _ async throws in
            statements.clear()
            try await queueWrites(50, on: storage) { n in
                do {
                    try await storage.write { hub in
                        try hub.accept(mutation("\(n)", n: n))
                        if n.isMultiple(of: 5) { throw GaveUp() }
                    }
                    #expect(!n.isMultiple(of: 5))
                } catch is GaveUp {
                    #expect(n.isMultiple(of: 5))
                }
            }
            #expect(statements.count(of: "SAVEPOINT body") == 51)
            #expect(statements.count(of: "ROLLBACK TO body") == 10)
            #expect(statements.count(of: "COMMIT") == 1)
            #expect(try await storage.read { try $0.list(.todo)?.head } == Version(40))
            #expect(try await storage.check() == [])
        }
    }

    @Test func storeThatWasNeverClosedOpensAtEveryStateOfItsLog() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            for n in 1...6 as ClosedRange<Int64> { try await storage.write { try $0.accept(mutation("\(n)", n: n)) } }
            let database = try Files.read(directory + "/hub.sqlite", maximumBytes: 1 << 24)
            let log = try Files.read(directory + "/hub.sqlite-wal", maximumBytes: 1 << 24)
            var heads: Set<Int64> = []
            // A power cut may keep any beginning of what was not yet known to be on the disk.
            for length in stride(from: log.count, through: 0, by: -(log.count / 40)) {
                let copy = directory + "/copy \(length)"
                try Files.createDirectory(copy)
                try Files.write(database, to: copy + "/hub.sqlite")
                try Files.write(Array(log.prefix(length)), to: copy + "/hub.sqlite-wal")
                let restarted = try await openStorage(copy)
                #expect(try await restarted.check() == [])
                let head = try await restarted.read { try $0.list(.todo)?.head.number }
                if length == log.count { #expect(head == 6) }
                heads.insert(head ?? -1)
                await restarted.close()
            }
            #expect(heads.isSuperset(of: [-1, 0, 1, 2, 3, 4, 5, 6]))
        }
    }

    @Test func twoProcessesWriteOneGaplessHistory() async throws {
        try await withSQLiteStorage { first, directory async throws in
            let second = try await openStorage(directory)
            let heard = Heard()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, storage) in [first, second, first, second].enumerated() {
                    group.addTask {
                        for n in 1...50 as ClosedRange<Int64> {
                            heard.add(
                                try await storage.write {
                                    try $0.accept(mutation("\(index) \(n)", by: "r\(index)", n: n))
                                })
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(heard.all.sorted() == (1...200).map { Version($0) })
            #expect(try await first.read { try $0.page() } == second.read { try $0.page() })
            #expect(try await second.check() == [])
            await second.close()
        }
    }

    @Test func changeOfAnotherProcessIsSeenAtOnce() async throws {
        try await withSQLiteStorage { hub, directory async throws in
            let verb = try await openStorage(directory)
            #expect(try await hub.read { try $0.tokens() }.isEmpty)
            let token = TokenRecord(
                name: "t", hash: [1], role: .editor, lists: [.todo], created: Timestamp(milliseconds: 1))
            try await verb.write { hub in
                try hub.put(token)
                try hub.removeList(.todo)
                try hub.add(HubList(name: try ListName("first"), kind: .todo))
                try hub.add(HubList(name: .todo, kind: .todo))
            }
            await verb.close()
            #expect(try await hub.read { try $0.tokens() } == [token])
            try await hub.write { try $0.accept(mutation("a")) }
            #expect(try await hub.read { try $0.page() } == ["a"])
            #expect(try await hub.check() == [])
        }
    }

    @Test func storeMadeByTwoAtOnceHasOneEpoch() async throws {
        try await withTemporaryDirectory { directory async throws in
            let path = directory + "/deep/er"
            let epochs = try await withThrowingTaskGroup(of: Epoch.self) { group in
                for n in 1...4 {
                    group.addTask {
                        let storage = try await SQLiteHubStorage(directory: path) { Epoch("epoch-\(n)") }
                        let epoch = try await storage.read { try $0.epoch() }
                        await storage.close()
                        return epoch
                    }
                }
                return try await group.reduce(into: Set<Epoch>()) { $0.insert($1) }
            }
            #expect(epochs.count == 1)
        }
    }

    @Test func lockHeldTooLongIsInUse() async throws {
        var options = HubStoreOptions()
        options.lockAttempts = 3
        try await withSQLiteStorage(options: options) { storage, directory async throws in
            let other = try Connection(path: directory + "/hub.sqlite")
            try other.execute("BEGIN IMMEDIATE")
            await expectStorageError(.inUse) { _ = try await storage.write { try $0.accept(mutation("a")) } }
            try other.execute("COMMIT")
            other.close()
            try await storage.write { try $0.accept(mutation("a")) }
        }
    }

    @Test func pagesAreReadInTheOrderOfAnIndex() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            await storage.close()
            let connection = try Connection(path: directory + "/hub.sqlite")
            for sql in [
                SQLiteHubSession.selectChanges, SQLiteHubSession.selectLiveChanges, SQLiteHubSession.selectLiveItems,
            ] {
                let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
                let values = [(any Bindable)?](repeating: nil, count: statement.parameterCount)
                var plan: [String] = []
                try statement.query(values: values) { plan.append($0.text(at: 3)) }
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
            connection.close()
        }
    }
}

/// The statements that a writer ran.
final class Statements: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ statement: String) { statements.withLock { $0.append(statement) } }

    func clear() { statements.withLock { $0 = [] } }

    func count(of statement: String) -> Int { statements.withLock { $0.count { $0 == statement } } }
}
