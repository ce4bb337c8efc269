import Foundation
import Platform
import Replica
import SQLite
import Sync
import TandemItems
import TestSupport
import Testing

/// What a store on the disk promises beside the port: opening, closing, the lock, versions.
@Suite struct SQLiteReplicaStorageTests {
    @Test func reopenedStoreHoldsWhatWasWritten() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            let before = try await storage.read { try StoreContents($0) }
            await storage.close()
            let other = NewStore(name: "other", random: SeededRandom(seed: 8))
            let again = try await SQLiteReplicaStorage.open(directory: directory, new: other)
            #expect(try await again.read { try StoreContents($0) } == before)
            try await again.put([makeItem("later")])
            #expect(try await again.read { try $0.lastStamp() } == before.lastStamp + 1)
            await again.close()
        }
    }

    @Test func copyOfAnOpenStoreHoldsWhatWasWritten() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            let copy = try copyFiles(of: directory)
            let opened = try await SQLiteReplicaStorage.open(directory: copy, new: .forTests)
            let contents = try await opened.read { try StoreContents($0) }
            #expect(try await storage.read { try StoreContents($0) } == contents)
            await opened.close()
        }
    }

    @Test func secondOpenerIsRefusedAndToldWhoHoldsTheStore() async throws {
        try await withSQLiteStorage { directory, storage in
            let error = await #expect(throws: ReplicaStorageError.self) {
                _ = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            }
            #expect(error?.code == .inUse)
            #expect(error?.message.contains("tandemd (process \(getpid()))") == true)
            await #expect(throws: ReplicaStorageError.self) {
                _ = try await SQLiteReplicaStorage.setAside(directory: directory, now: 0)
            }
            try await storage.put([makeItem("a")])
        }
    }

    @Test func storeThatWasMovedAwayTakesNoWriteUntilItIsBack() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.put([makeItem("a")])
            let away = directory + "-away"
            try FileManager.default.moveItem(atPath: directory, toPath: away)
            let gone = await #expect(throws: ReplicaStorageError.self) { try await storage.put([makeItem("b")]) }
            #expect(gone?.code == .moved)
            try FileManager.default.copyItem(atPath: away, toPath: directory)
            let replaced = await #expect(throws: ReplicaStorageError.self) { try await storage.put([makeItem("b")]) }
            #expect(replaced?.code == .moved)
            try FileManager.default.removeItem(atPath: directory)
            try FileManager.default.moveItem(atPath: away, toPath: directory)
            try await storage.put([makeItem("b")])
        }
    }

    @Test func closedStoreRefusesAndGivesTheLockBack() async throws {
        try await withSQLiteStorage { directory, storage in
            await storage.close()
            await storage.close()
            await #expect(throws: ReplicaStorageError.self) { try await storage.put([makeItem("a")]) }
            await #expect(throws: ReplicaStorageError.self) { _ = try await storage.order() }
            let again = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            await again.close()
        }
    }

    @Test func closedStoreIsOneFile() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            await storage.close()
            #expect(try Files.names(in: directory) == ["lock", "replica.sqlite3"])
        }
    }

    @Test func storeIsReadableByItsUserAlone() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            #expect(try mode(of: directory) == 0o700)
            for name in try Files.names(in: directory) {
                #expect(try mode(of: directory + "/" + name) == 0o600, "\(name)")
            }
        }
    }

    @Test func newerSchemaIsRefusedAndUntouched() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            await storage.close()
            try changeFile(in: directory) { try $0.setUserVersion(2) }
            try await expectRefusal(of: directory, .tooNew)
        }
    }

    @Test func databaseOfAnotherProgramIsRefusedAndUntouched() async throws {
        try await withTemporaryDirectory { directory in
            try changeFile(in: directory) { try $0.execute("CREATE TABLE theirs (a)") }
            try await expectRefusal(of: directory, .corrupt)
            try Files.write(Array("hello, world".utf8), to: directory + "/replica.sqlite3")
            try await expectRefusal(of: directory, .corrupt)
        }
    }

    @Test func emptyFileIsMadeAStore() async throws {
        // What is left of a start that was killed before its first transaction.
        try await withTemporaryDirectory { directory in
            try Files.write([], to: directory + "/replica.sqlite3")
            let storage = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            #expect(try await storage.read { try $0.lists().count } == 1)
            await storage.close()
        }
    }

    @Test func fileIsExaminedAfterAnUncleanStopOnly() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.put([makeItem("a")])
            let copy = try copyFiles(of: directory)
            await storage.close()
            #expect(try await statements(ofOpening: directory).contains("PRAGMA quick_check") == false)
            #expect(try await statements(ofOpening: copy).contains("PRAGMA quick_check"))
            #expect(try await statements(ofOpening: copy).contains("PRAGMA quick_check"), "nothing was written since")
        }
    }

    @Test func openingAndReadingWriteNothing() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            await storage.close()
            let before = try Files.read(directory + "/replica.sqlite3", maximumBytes: 1 << 30)
            let again = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            _ = try await again.order()
            await again.close()
            #expect(try Files.read(directory + "/replica.sqlite3", maximumBytes: 1 << 30) == before)
        }
    }

    @Test func itemsAreCountedAnewAfterAnUncleanStop() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            let items = try await storage.read { try $0.counts(of: .todo).items }
            let copy = try copyFiles(of: directory)
            try changeFile(in: copy) { try $0.execute("UPDATE list SET items = 1000") }
            let opened = try await SQLiteReplicaStorage.open(directory: copy, new: .forTests)
            #expect(try await opened.read { try $0.counts(of: .todo).items } == items)
            await opened.close()
        }
    }

    @Test func replicaIDsAreMintedFromTheRandomSource() throws {
        let first = NewStore(name: "a", random: SeededRandom(seed: 1)).makeRecord().replica
        let same = NewStore(name: "b", random: SeededRandom(seed: 1)).makeRecord().replica
        let other = NewStore(name: "a", random: SeededRandom(seed: 2)).makeRecord().replica
        #expect(first == same && first != other && first.text.utf8.count == 16)
    }

    private func expectRefusal(of directory: String, _ code: ReplicaStorageError.Code) async throws {
        let before = try Files.read(directory + "/replica.sqlite3", maximumBytes: 1 << 30)
        let error = await #expect(throws: ReplicaStorageError.self) {
            _ = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
        }
        #expect(error?.code == code)
        #expect(try Files.read(directory + "/replica.sqlite3", maximumBytes: 1 << 30) == before)
    }

    private func statements(ofOpening directory: String) async throws -> [String] {
        let seen = Told<String>()
        var options = SQLiteReplicaStorage.Options()
        options.adjust = { $0.beforeStep = { seen.append($0) } }
        let storage = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests, options: options)
        let statements = seen.values
        await storage.close()
        return statements
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
