import Foundation
import Hub
import HubStore
import Platform
import SQLite
import TandemItems
import TestSupport
import Testing

/// Files that are not what they should be, and copies.
@Suite(.timeLimit(.minutes(2)))
struct SQLiteHubStorageFileTests {
    @Test func newerStoreIsRefusedAndLeftAsItIs() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            await storage.close()
            let path = directory + "/hub.sqlite"
            let connection = try Connection(path: path)
            try connection.setUserVersion(2)
            try connection.checkpoint(truncate: true)
            connection.close()
            try await expectRefusal(.tooNew, of: directory)
        }
    }

    @Test func newerStoreThatWasNeverClosedIsRefusedAndLeftAsItIs() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            await storage.close()
            let connection = try Connection(path: directory + "/hub.sqlite")
            try connection.setUserVersion(2)
            let copy = directory + "/copy"
            try Files.createDirectory(copy)
            for name in ["/hub.sqlite", "/hub.sqlite-wal"] {
                try Files.write(try Files.read(directory + name, maximumBytes: 1 << 24), to: copy + name)
            }
            connection.close()
            let log = try Files.read(copy + "/hub.sqlite-wal", maximumBytes: 1 << 24)
            try await expectRefusal(.tooNew, of: copy)
            #expect(try Files.read(copy + "/hub.sqlite-wal", maximumBytes: 1 << 24) == log)
        }
    }

    @Test func storeThatWasMovedAwayTakesNoWriteUntilItIsBack() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            let file = directory + "/hub.sqlite"
            try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
            await #expect(throws: HubStorageError.self) {
                try await storage.write { try $0.add(HubList(name: try ListName("new"), kind: .todo)) }
            }
            try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
            try await storage.write { try $0.add(HubList(name: try ListName("new"), kind: .todo)) }
        }
    }

    @Test func databaseOfAnotherProgramIsRefusedAndLeftAsItIs() async throws {
        try await withTemporaryDirectory { directory async throws in
            let connection = try Connection(path: directory + "/hub.sqlite")
            try connection.execute("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)")
            connection.close()
            try await expectRefusal(.corrupt, of: directory)
        }
    }

    @Test func fileThatIsNoDatabaseIsRefusedAndLeftAsItIs() async throws {
        try await withTemporaryDirectory { directory async throws in
            try Files.write(Array(String(repeating: "not a database ", count: 500).utf8), to: directory + "/hub.sqlite")
            try await expectRefusal(.corrupt, of: directory)
        }
    }

    @Test func emptyFileBecomesAStore() async throws {
        try await withTemporaryDirectory { directory async throws in
            try Files.write([], to: directory + "/hub.sqlite")
            let storage = try await openStorage(directory)
            #expect(try await storage.read { try $0.epoch() } == Epoch("epoch-1"))
            await storage.close()
        }
    }

    @Test func storeIsForItsUserAlone() async throws {
        try await withTemporaryDirectory { parent async throws in
            let directory = parent + "/store"
            let storage = try await openStorage(directory)
            try await storage.write { try $0.add(HubList(name: .todo, kind: .todo)) }
            #expect(try mode(of: directory) == 0o700)
            for name in try Files.names(in: directory) { #expect(try mode(of: directory + "/" + name) == 0o600) }
            await storage.close()
        }
    }

    @Test func damagedPageIsFoundAndSaidToBeDamage() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            try await storage.write { hub in
                for n in 1...400 as ClosedRange<Int64> { try hub.accept(mutation("\(n)", n: n)) }
            }
            await storage.close()
            var bytes = try Files.read(directory + "/hub.sqlite", maximumBytes: 1 << 24)
            for index in 12_288..<bytes.count { bytes[index] = 0xA5 }
            try Files.write(bytes, to: directory + "/hub.sqlite")
            let damaged = try await openStorage(directory)
            #expect(try await !damaged.check().isEmpty)
            await expectStorageError(.corrupt) { _ = try await damaged.read { try $0.page() } }
            await damaged.close()
        }
    }

    @Test func truncatedFileIsRefusedOrFoundDamaged() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            try await storage.write { hub in
                for n in 1...400 as ClosedRange<Int64> { try hub.accept(mutation("\(n)", n: n)) }
            }
            await storage.close()
            let path = directory + "/hub.sqlite"
            let bytes = try Files.read(path, maximumBytes: 1 << 24)
            for length in [100, 4096, 12_288, bytes.count / 2, bytes.count - 1] {
                try Files.write(Array(bytes.prefix(length)), to: path)
                do {
                    let cut = try await openStorage(directory)
                    #expect(try await !cut.check().isEmpty, "\(length)")
                    await cut.close()
                } catch let error as HubStorageError {
                    #expect(error.code == .corrupt, "\(length): \(error)")
                }
            }
        }
    }

    @Test(arguments: [
        ("UPDATE list SET head=head+1", "head or digest"), ("UPDATE list SET digest='x'", "head or digest"),
        ("DELETE FROM history WHERE sequence=2", "gap"), ("UPDATE item SET version=1 WHERE id='3'", "version"),
        ("DELETE FROM item WHERE id='2'", "missing"), ("UPDATE item SET live=0 WHERE id='2'", "content"),
        ("UPDATE item SET json='{}' WHERE id='2'", "content"), ("UPDATE history SET n=9 WHERE sequence=1", "content"),
        ("INSERT INTO refusal SELECT list, replica, n, nonce, '', '' FROM history", "both accepted and refused"),
        ("UPDATE history SET previous=1 WHERE sequence=2", "one before it"), ("UPDATE list SET key=9", "no list"),
        ("DELETE FROM replica", "no replica"),
    ])
    func checkFindsWhatMustNotBe(damage: String, finding: String) async throws {
        try await withSQLiteStorage { storage, directory async throws in
            try await storage.write { hub in
                for n in 1...3 as ClosedRange<Int64> { try hub.accept(mutation("\(n)", n: n)) }
            }
            #expect(try await storage.check() == [])
            let connection = try Connection(path: directory + "/hub.sqlite")
            try connection.execute(damage)
            connection.close()
            let findings = try await storage.check()
            #expect(findings.contains { $0.contains(finding) }, "\(findings)")
        }
    }

    @Test func backupWhileOthersWriteIsOneSoundState() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            let copy = directory + "/copy"
            try Files.createDirectory(copy)
            try Files.write(Array("replaced".utf8), to: copy + "/hub.sqlite")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...4 {
                    group.addTask {
                        for n in 1...40 as ClosedRange<Int64> {
                            let change = try mutation("\(writer) \(n)", by: "r\(writer)", n: n)
                            try await storage.write { try $0.accept(change) }
                        }
                    }
                }
                for _ in 1...5 { group.addTask { try await storage.backup(to: copy + "/hub.sqlite") } }
                try await group.waitForAll()
            }
            #expect(try Files.names(in: copy) == ["hub.sqlite"])
            #expect(try mode(of: copy + "/hub.sqlite") == 0o600)
            let restored = try await openStorage(copy)
            #expect(try await restored.check() == [])
            let head = try await restored.read { try $0.list(.todo)?.head.number } ?? 0
            #expect(try await Int64(restored.read { try $0.page().count }) == head)
            await restored.close()
        }
    }

    @Test func backupThatCannotBeWrittenLeavesNothing() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            await #expect(throws: HubStorageError.self) { try await storage.backup(to: directory + "/missing/copy") }
            await #expect(throws: HubStorageError.self) { try await storage.backup(to: directory) }
            #expect(try Files.names(in: directory).allSatisfy { $0.hasPrefix("hub.sqlite") })
            #expect(try Files.names(in: Files.parent(of: directory)).allSatisfy { !$0.hasSuffix(".partial") })
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func directoryThatCannotBeWrittenIsReadOnly() async throws {
        try await withTemporaryDirectory { directory async throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory)
            await expectStorageError(.readOnly) { _ = try await openStorage(directory) }
            await expectStorageError(.readOnly) { _ = try await openStorage(directory + "/new") }
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func fileThatCannotBeWrittenIsReadOnly() async throws {
        try await withSQLiteStorage { storage, directory async throws in
            await storage.close()
            let path = directory + "/hub.sqlite"
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            await expectStorageError(.readOnly) { _ = try await openStorage(directory) }
        }
    }

    /// Opens the store, which must fail, and compares the file before and after.
    private func expectRefusal(_ code: HubStorageError.Code, of directory: String) async throws {
        let path = directory + "/hub.sqlite"
        let before = try Files.read(path, maximumBytes: 1 << 24)
        await expectStorageError(code) { _ = try await openStorage(directory) }
        #expect(try Files.read(path, maximumBytes: 1 << 24) == before)
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
