import Platform
import Replica
import SQLite
import Sync
import TandemItems
import TestSupport
import Testing

/// What a store on the disk does when the disk does not.
@Suite struct SQLiteStorageFaultTests {
    @Test(.timeLimit(.minutes(5))) func everyFailingStatementLeavesTheOldState() async throws {
        try await withSQLiteStorage { _, storage in
            try await storage.fill()
            for failing in 1...1_000 {
                let before = try await storage.read { try StoreContents($0) }
                let fault = Fault(at: failing)
                try await storage.withConnection { $0.beforeStep = fault.check }
                let isDone = try await isWritten(storage)
                try await storage.withConnection { $0.beforeStep = nil }
                guard !isDone else {
                    #expect(failing > 20)
                    return
                }
                #expect(try await storage.read { try StoreContents($0) } == before, "statement \(failing)")
                try await storage.put([makeItem("after \(failing)")])
                #expect(try await storage.read { try $0.lastStamp() } == before.lastStamp + 1)
            }
            Issue.record("the write never ends")
        }
    }

    @Test func bodyThatIgnoresAFaultIsNotCommitted() async throws {
        try await withSQLiteStorage { _, storage in
            try await storage.fill()
            let before = try await storage.read { try StoreContents($0) }
            try await storage.withConnection { connection in
                connection.beforeStep = { if $0.contains("INSERT INTO pending") { throw SQLiteError(.full) } }
            }
            let told = Told<Bool>()
            let error = await #expect(throws: ReplicaStorageError.self) {
                try await storage.write { transaction in
                    try transaction.put([makeItem("new")])
                    // The body makes nothing of it.
                    try? transaction.append(makeMutation(9), in: .todo)
                    try? transaction.put([makeItem("another")])
                } committed: {
                    told.append(true)
                }
            }
            #expect(error?.code == .full)
            #expect(told.values.isEmpty)
            #expect(try await storage.read { try StoreContents($0) } == before)
        }
    }

    @Test func fullDiskRefusesChangesAndRecovers() async throws {
        try await withSQLiteStorage { _, storage in
            try await storage.fill()
            let before = try await storage.read { try StoreContents($0) }
            let large = try (0..<40).map { try makeItem("large \($0)", String(repeating: "x", count: 10_000)) }
            try await storage.withConnection { connection in
                let pages = try connection.prepare("PRAGMA page_count").first { $0.int64(at: 0) } ?? 0
                try connection.execute("PRAGMA max_page_count=\(pages + 10)")
            }
            for _ in 0..<2 {
                let error = await #expect(throws: ReplicaStorageError.self) { try await storage.put(large) }
                #expect(error?.code == .full)
                #expect(try await storage.read { try StoreContents($0) } == before)
            }
            try await storage.withConnection { try $0.execute("PRAGMA max_page_count=1000000") }
            try await storage.put(large)
            #expect(try await storage.read { try $0.lastStamp() } == before.lastStamp + 40)
        }
    }

    @Test func readOnlyStoreIsReadAndSaysSo() async throws {
        try await withSQLiteStorage { _, storage in
            try await storage.fill()
            try await storage.withConnection { try $0.execute("PRAGMA query_only=ON") }
            let error = await #expect(throws: ReplicaStorageError.self) { try await storage.put([makeItem("b")]) }
            #expect(error?.code == .readOnly)
            #expect(try await storage.order().count == 19)
            try await storage.withConnection { try $0.execute("PRAGMA query_only=OFF") }
            try await storage.put([makeItem("b")])
        }
    }

    @Test func fullDiskAtTheFirstOpeningLeavesNothingBehind() async throws {
        try await withTemporaryDirectory { directory in
            for failing in 1...1_000 {
                var options = SQLiteReplicaStorage.Options()
                let fault = Fault(at: failing)
                options.adjust = { $0.beforeStep = fault.check }
                do {
                    let path = directory + "/\(failing)"
                    let storage = try await SQLiteReplicaStorage.open(directory: path, new: .forTests, options: options)
                    await storage.close()
                    #expect(failing > 20)
                    return
                } catch let error as ReplicaStorageError {
                    #expect(error.code == .full)
                }
                let storage = try await SQLiteReplicaStorage.open(directory: directory + "/\(failing)", new: .forTests)
                #expect(try await storage.read { try $0.lists().count } == 1)
                await storage.close()
            }
        }
    }

    @Test func damagedRowIsReportedAndTheRestIsRead() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            await storage.close()
            try changeFile(in: directory) {
                try $0.execute("UPDATE item SET confirmed = x'7b', shown = NULL WHERE id = 'i7' AND list = 1")
            }
            let again = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            let damaged = try ItemID("i7")
            let error = await #expect(throws: ReplicaStorageError.self) {
                _ = try await again.read { try $0.item(damaged, in: .todo) }
            }
            #expect(error?.code == .corrupt)
            let sound = try ItemID("i8")
            #expect(try await again.read { try $0.item(sound, in: .todo) } != nil)
            await again.close()
        }
    }

    /// A write that touches everything; whether it went through.
    private func isWritten(_ storage: SQLiteReplicaStorage) async throws -> Bool {
        let other = try ListName("other")
        do {
            try await storage.write { transaction in
                var record = try transaction.record()
                record.name = "renamed"
                try transaction.put(record)
                try transaction.put(ReplicaList(name: .todo, kind: .todo, lastN: 4))
                try transaction.put([makeItem("new"), makeItem("i1", "changed"), makeItem("i2", isDeleted: true)])
                try transaction.append(makeMutation(4), in: .todo)
                try transaction.removePending(1, in: .todo)
                try transaction.put(makeQuarantined(8))
                try transaction.removeQuarantined(Nonce("nonce-7"))
                try transaction.setNames([ReplicaID("r3"): "phone"])
                try transaction.removeList(other)
            }
            return true
        } catch let error as ReplicaStorageError {
            #expect(error.code == .full)
            return false
        }
    }
}

/// Makes one statement of a connection fail as on a full disk.
final class Fault: Sendable {
    private let place: Int
    private let seen = Told<Void>()

    init(at place: Int) { self.place = place }

    @Sendable func check(_ sql: String) throws {
        seen.append(())
        if seen.values.count == place { throw SQLiteError(.full, statement: sql) }
    }
}
