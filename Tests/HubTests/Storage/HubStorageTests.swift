import Dispatch
import Hub
import Synchronization
import TandemItems
import TestSupport
import Testing

/// The contract of the port, held against every implementation.
@Suite(.timeLimit(.minutes(2)))
struct HubStorageTests {
    @Test(arguments: StorageKind.allCases)
    func throwingBodyChangesNothing(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let token = TokenRecord(
                name: "t", hash: [1], role: .editor, lists: [.todo], created: Timestamp(milliseconds: 1))
            try await storage.write { try $0.accept(mutation("a")) }
            await #expect(throws: GaveUp.self) {
                try await storage.write { hub in
                    try hub.accept(mutation("a", set: [.title: "other"], base: Version(1), n: 2))
                    try hub.accept(mutation("b", n: 3))
                    try hub.record(.replicaForked, of: mutation("c", n: 4), in: .todo)
                    try hub.put(token)
                    try hub.setName("laptop", of: try ReplicaID("r1"))
                    try hub.add(HubList(name: try ListName("other"), kind: .todo))
                    throw GaveUp()
                }
            }
            try await storage.read { hub throws in
                #expect(try hub.lists().map(\.head) == [Version(1)])
                #expect(try hub.list(.todo)?.digest == "d1")
                #expect(try hub.page() == ["a"])
                #expect(try hub.item(try ItemID("a"), in: .todo)?[.title] == "a title")
                #expect(try hub.history(of: try ItemID("a"), in: .todo).count == 1)
                #expect(try hub.ledgerEntry(in: .todo, replica: try ReplicaID("r1"), n: 4) == nil)
                #expect(try hub.tokens().isEmpty)
                #expect(try hub.replicaNames().isEmpty)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func throwingBodyWithRemovalChangesNothing(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { try $0.accept(mutation("a")) }
            await #expect(throws: GaveUp.self) {
                try await storage.write { hub in
                    try hub.removeList(.todo)
                    try hub.add(HubList(name: .todo, kind: .todo))
                    throw GaveUp()
                }
            }
            #expect(try await storage.read { try $0.page() } == ["a"])
            try await storage.write { try $0.accept(mutation("b", n: 2)) }
            #expect(try await storage.read { try $0.page() } == ["a", "b"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func throwingBodyTakesNothingOfAnotherWithIt(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 1...60 {
                    group.addTask {
                        let write = {
                            try await storage.write { hub in
                                try hub.accept(mutation("item \(n)", n: Int64(n)))
                                if n.isMultiple(of: 3) { throw GaveUp() }
                            }
                        }
                        if n.isMultiple(of: 3) {
                            await #expect(throws: GaveUp.self) { try await write() }
                        } else {
                            try await write()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let kept = (1...60).filter { !$0.isMultiple(of: 3) }.map { "item \($0)" }
            #expect(try await storage.read { try Set($0.page()) } == Set(kept))
            #expect(try await storage.read { try $0.list(.todo)?.head } == Version(40))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func swallowedErrorFailsTheBody(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            await #expect(throws: HubStorageError.self) {
                try await storage.write { hub in
                    try hub.accept(mutation("a"))
                    #expect(throws: HubStorageError.self) { try hub.removeList(try ListName("missing")) }
                    #expect(throws: HubStorageError.self) { try hub.lists() }
                }
            }
            #expect(try await storage.read { try $0.page() }.isEmpty)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func committedIsCalledOnceInCommitOrderAndBeforeTheAnswer(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let heard = Heard()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...32 {
                    group.addTask {
                        for n in 1...8 {
                            let version = try await storage.write { hub in
                                try hub.accept(mutation("item \(writer)", by: "r\(writer)", n: Int64(n)))
                            } committed: {
                                heard.add($0)
                            }
                            #expect(heard.all.contains(version))
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Gapless, and in the order of the commits.
            #expect(heard.all == (1...256).map { Version($0) })
        }
    }

    @Test(arguments: StorageKind.allCases)
    func committedIsNotCalledForABodyThatThrew(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let heard = Heard()
            await #expect(throws: GaveUp.self) {
                try await storage.write { _ in
                    throw GaveUp()
                } committed: {
                    heard.add($0)
                }
            }
            #expect(heard.all.isEmpty)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func readersNeverSeeASequenceBeforeTheOnesBeforeIt(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...32 {
                    group.addTask {
                        for n in 1...5 {
                            try await storage.write {
                                try $0.accept(mutation("\(writer) \(n)", by: "r\(writer)", n: Int64(n)))
                            }
                        }
                    }
                }
                group.addTask {
                    var head: Int64 = 0
                    while head < 160 {
                        let (next, count) = try await storage.read { hub throws in
                            (try #require(try hub.list(.todo)).head.number, try hub.page().count)
                        }
                        #expect(Int(next) == count)
                        #expect(next >= head)
                        head = next
                        await Task.yield()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func readSeesOneStateFromItsStart(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            let isWritten = DispatchSemaphore(value: 0)
            async let seen = storage.read { hub throws in
                started.finish()
                isWritten.wait()
                return try hub.page()
            }
            for await _ in starts {}
            try await storage.write { try $0.accept(mutation("a")) }
            isWritten.signal()
            #expect(try await seen.isEmpty)
            #expect(try await storage.read { try $0.page() } == ["a"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func bodyReadsWhatItWrote(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await storage.write { hub in
                try hub.accept(mutation("a"))
                #expect(try hub.list(.todo)?.head == Version(1))
                #expect(try hub.lists().first?.digest == "d1")
                #expect(try hub.digest(in: .todo, at: Version(1)) == "d1")
                #expect(try hub.page() == ["a"])
                #expect(try hub.item(try ItemID("a"), in: .todo)?.version == Version(1))
                let entry = try hub.ledgerEntry(in: .todo, replica: try ReplicaID("r1"), n: 1)
                #expect(entry?.outcome == .accepted(Version(1)))
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func cancelledCallerStillGetsTheAnswer(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let task = Task {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await storage.write { try $0.accept(mutation("a")) }
            }
            #expect(try await task.value == Version(1))
            #expect(try await storage.read { try $0.page() } == ["a"])
        }
    }
}

/// What `committed` told, in order.
final class Heard: Sendable {
    private let versions = Mutex<[Version]>([])

    var all: [Version] { versions.withLock { $0 } }

    func add(_ version: Version) { versions.withLock { $0.append(version) } }
}
