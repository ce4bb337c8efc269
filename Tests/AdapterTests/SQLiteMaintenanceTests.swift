import Foundation
import SQLite
import Testing

@Suite struct MaintenanceTests {
    /// A store of several pages, checkpointed.
    private func makeStore(at path: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.configureDurableStore()
        try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        try connection.transaction {
            for number in 0..<500 { try connection.addItem("\(number) " + String(repeating: "x", count: 200)) }
        }
        try connection.checkpoint(truncate: true)
        return connection
    }

    private func damage(_ path: String, pages: Range<Int>) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: Data((0..<256).map { UInt8($0) ^ 0xa5 }))
        }
        try file.close()
    }

    @Test func soundStoreHasNoFindings() throws {
        try withDatabasePath { path in
            let connection = try makeStore(at: path)
            #expect(try connection.quickCheck() == [])
            #expect(try connection.integrityCheck() == [])
        }
    }

    @Test func quickCheckFindsADamagedPage() throws {
        try withDatabasePath { path in
            try makeStore(at: path).close()
            try damage(path, pages: 3..<4)
            let connection = try Connection(path: path)
            #expect(try connection.quickCheck() != [])
        }
    }

    @Test func quickCheckFindsThatTheFileIsNoDatabase() throws {
        try withDatabasePath { path in
            try makeStore(at: path).close()
            try damage(path, pages: 0..<1)
            let connection = try Connection(path: path)
            #expect(try connection.quickCheck() == ["file is not a database"])
            #expect(try sqliteError { try connection.configureDurableStore() }?.isCorrupt == true)
        }
    }

    @Test func readingADamagedPageIsAnErrorThatSaysSo() throws {
        try withDatabasePath { path in
            try makeStore(at: path).close()
            try damage(path, pages: 2..<8)
            let connection = try Connection(path: path)
            #expect(try sqliteError { _ = try connection.names() }?.isCorrupt == true)
        }
    }

    @Test func checkpointEmptiesTheLog() throws {
        try withDatabasePath { path in
            let connection = try makeStore(at: path)
            try connection.addItem("in the log")
            let moved = try connection.checkpoint()
            #expect(!moved.isBlocked && moved.logFrames > 0 && moved.movedFrames == moved.logFrames)
            try connection.checkpoint(truncate: true)
            #expect(try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int == 0)
        }
    }

    @Test func checkpointWithinATransactionIsRefused() throws {
        try withDatabasePath { path in
            let connection = try makeStore(at: path)
            let error = try sqliteError {
                try connection.transaction {
                    try connection.addItem("a")
                    try connection.checkpoint()
                }
            }
            #expect(error?.code == .locked)
        }
    }

    @Test func backupOpensAndEqualsItsSource() throws {
        try withDatabasePath { path in
            let source = try makeStore(at: path)
            try source.addItem("only in the log")
            var steps = 0
            try source.backup(to: path + ".copy", pagesPerStep: 10) { remaining, total in
                steps += 1
                #expect(remaining == max(0, total - steps * 10))
            }
            #expect(steps > 2)
            let copy = try Connection(path: path + ".copy", mode: .readWrite)
            #expect(try copy.quickCheck() == [])
            #expect(try copy.names() == source.names())
            #expect(!source.isInTransaction)
        }
    }

    @Test func backupIsOneStateWhileAnotherConnectionWrites() throws {
        try withDatabasePath { path in
            let source = try makeStore(at: path)
            let names = try source.names()
            let writer = try Connection(path: path)
            try source.backup(to: path + ".copy", pagesPerStep: 1) { _, _ in try writer.addItem("meanwhile") }
            #expect(try Connection(path: path + ".copy").names() == names)
            #expect(try source.names().count > names.count)
        }
    }

    @Test func backupWithinAWriteIsRefused() throws {
        try withDatabasePath { path in
            let source = try makeStore(at: path)
            let error = try sqliteError {
                try source.transaction { try source.backup(to: path + ".copy") }
            }
            #expect(error?.isBusy == true)
        }
    }

    @Test func cancelledBackupLeavesTheSourceUsable() throws {
        struct Stop: Error {}
        try withDatabasePath { path in
            let source = try makeStore(at: path)
            #expect(throws: Stop.self) {
                try source.backup(to: path + ".copy", pagesPerStep: 1) { _, _ in throw Stop() }
            }
            #expect(!source.isInTransaction)
            try source.backup(to: path + ".copy")
            #expect(try Connection(path: path + ".copy").names() == source.names())
        }
    }
}
