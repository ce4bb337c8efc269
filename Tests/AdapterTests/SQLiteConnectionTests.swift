import Foundation
import SQLite
import Testing

@Suite struct ConnectionTests {
    @Test func errorSaysCodeMessageAndStatement() throws {
        let connection = try makeItemDatabase()
        try connection.addItem("a")
        let error = try #require(try sqliteError { try connection.addItem("a") })
        #expect(error.code == .constraint)
        #expect(error.extendedCode == 2067)
        #expect(error.message == "UNIQUE constraint failed: item.name")
        #expect(error.statement == "INSERT INTO item (name) VALUES (?)")
        #expect(error.description.contains("error 19 (extended 2067): UNIQUE"))
    }

    @Test func errorOfCompilationSaysTheStatement() throws {
        let connection = try makeItemDatabase()
        let error = try #require(try sqliteError { _ = try connection.prepare("SELECT missing FROM item") })
        #expect(error.code == .generic)
        #expect(error.message == "no such column: missing")
        #expect(error.statement == "SELECT missing FROM item")
    }

    @Test func quotedNameIsNeverText() throws {
        let connection = try makeItemDatabase()
        #expect(throws: SQLiteError.self) { try connection.prepare("SELECT \"nothing\" FROM item") }
    }

    @Test func missingFileCannotBeOpened() throws {
        try withDatabasePath { path in
            for mode in [Connection.Mode.readWrite, .readOnly] {
                let error = try sqliteError { _ = try Connection(path: path, mode: mode) }
                #expect(error?.isCantOpen == true)
                #expect(error?.systemErrorNumber == ENOENT)
            }
        }
    }

    @Test func readOnlyConnectionRefusesWrites() throws {
        try withDatabasePath { path in
            let writer = try Connection(path: path)
            try writer.configureDurableStore()
            try writer.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
            let reader = try Connection(path: path, mode: .readOnly)
            try reader.configureDurableStore()
            let error = try sqliteError { try reader.addItem("a") }
            #expect(error?.isReadOnly == true)
            try writer.addItem("b")
            #expect(try reader.names() == ["b"])
        }
    }

    @Test func scriptRunsUpToTheStatementThatFails() throws {
        let connection = try makeItemDatabase()
        let script = """
            -- a comment; with a semicolon
            INSERT INTO item (name) VALUES ('a;b');
            INSERT INTO item (name) VALUES ('a;b');
            INSERT INTO item (name) VALUES ('c');
            -- the end
            """
        let error = try sqliteError { try connection.execute(script) }
        #expect(error?.code == .constraint)
        #expect(error?.statement?.hasSuffix("VALUES ('a;b');") == true)
        #expect(try connection.names() == ["a;b"])
        try connection.execute(" ; -- nothing to do\n")
        #expect(try sqliteError { try connection.execute("SELECT 1; \0 SELECT 2") }?.code == .misuse)
    }

    @Test func statementIsCompiledOnce() throws {
        let connection = try makeItemDatabase()
        let sql = "SELECT name FROM item; -- trailing text is no second statement\n"
        #expect(try connection.prepare(sql) === connection.prepare(sql))
    }

    @Test func runningStatementIsNotSharedWithANestedUse() throws {
        let connection = try makeItemDatabase()
        for name in ["a", "b"] { try connection.addItem(name) }
        var pairs: [String] = []
        try connection.prepare("SELECT name FROM item ORDER BY id").query { outer in
            for inner in try connection.names() { pairs.append(outer.text(at: 0) + inner) }
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    @Test func equivalentTextsAreTwoStatements() throws {
        let connection = try makeItemDatabase()
        let lengths = try ["SELECT length('é')", "SELECT length('e\u{301}')"].map { sql in
            try connection.prepare(sql).first { $0.int64(at: 0) }
        }
        #expect(lengths == [1, 2])
    }

    @Test func cachedStatementWorksAfterAnError() throws {
        let connection = try makeItemDatabase()
        try connection.addItem("a")
        #expect(throws: SQLiteError.self) { try connection.addItem("a") }
        try connection.addItem("b")
        #expect(try connection.names() == ["a", "b"])
        #expect(connection.changes == 1)
        #expect(connection.lastInsertRowID == 2)
    }

    @Test func statementPushedOutOfTheCacheStaysValid() throws {
        let connection = try makeItemDatabase()
        let held = try connection.prepare("SELECT -1")
        for number in 0..<300 {
            #expect(try connection.prepare("SELECT \(number)").first { Int($0.int64(at: 0)) } == number)
        }
        #expect(try connection.prepare("SELECT -1") !== held)
        #expect(try held.first { $0.int64(at: 0) } == -1)
    }

    @Test func closedConnectionThrows() throws {
        let connection = try makeItemDatabase()
        let statement = try connection.prepare("SELECT ?")
        connection.close()
        connection.close()
        connection.interrupter.interrupt()
        #expect(try sqliteError { try statement.run(1) }?.code == .misuse)
        #expect(try sqliteError { _ = try statement.step() }?.code == .misuse)
        #expect(try sqliteError { try statement.bind(Int64(1), at: 1) }?.code == .misuse)
        #expect(try sqliteError { _ = try connection.prepare("SELECT 1") }?.code == .misuse)
        #expect(!connection.isInTransaction)
    }

    @Test func interruptEndsTheRunningStatement() throws {
        let connection = try makeItemDatabase()
        let endless = "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT v FROM n"
        let error = try sqliteError {
            try connection.prepare(endless).query { _ in connection.interrupter.interrupt() }
        }
        #expect(error?.code == .interrupted)
        #expect(try connection.names() == [])
    }

    @Test func userVersionIsPartOfTheTransaction() throws {
        struct Stop: Error {}
        let connection = try makeItemDatabase()
        try connection.setUserVersion(7)
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.setUserVersion(8)
                throw Stop()
            }
        }
        #expect(try connection.userVersion == 7)
    }

    @Test func durableStoreHasTheSettingsItPromises() throws {
        try withDatabasePath { path in
            let connection = try Connection(path: path)
            var options = StoreOptions()
            options.cacheBytes = 4 << 20
            options.busyTimeout = .milliseconds(250)
            try connection.configureDurableStore(options)
            let expected: [(String, String)] = [
                ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("busy_timeout", "250"),
                ("temp_store", "2"), ("cache_size", "-4096"), ("mmap_size", "0"), ("wal_autocheckpoint", "1000"),
            ]
            for (name, value) in expected {
                #expect(try connection.prepare("PRAGMA \(name)").first { $0.text(at: 0) } == value, "\(name)")
            }
        }
    }

    @Test func errnoTellsAFullDiskAndAReadOnlyFileSystem() {
        #expect(SQLiteError(.full).isDiskFull)
        #expect(SQLiteError(.inputOutput, systemErrorNumber: ENOSPC).isDiskFull)
        #expect(SQLiteError(.inputOutput, systemErrorNumber: EDQUOT).isDiskFull)
        #expect(!SQLiteError(.inputOutput, systemErrorNumber: EIO).isDiskFull)
        #expect(SQLiteError(.cantOpen, systemErrorNumber: EROFS).isReadOnly)
        #expect(SQLiteError(.notADatabase).isCorrupt)
        #expect(SQLiteError(.locked).isBusy)
    }
}
