import SQLite
import Testing

@Suite struct TransactionTests {
    private struct Stop: Error, Equatable {
        var statement = ""
    }

    @Test func thrownErrorRollsBack() throws {
        let connection = try makeItemDatabase()
        #expect(throws: Stop.self) {
            try connection.transaction {
                #expect(connection.isInTransaction)
                try connection.addItem("a")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.names() == [])
    }

    @Test func valueOfTheBodyIsReturnedAfterTheCommit() throws {
        let connection = try makeItemDatabase()
        let names = try connection.transaction {
            try connection.addItem("a")
            return try connection.names()
        }
        #expect(names == ["a"])
        #expect(!connection.isInTransaction)
    }

    @Test func nestedTransactionUndoesTheOuterOne() throws {
        let connection = try makeItemDatabase()
        let error = try sqliteError {
            try connection.transaction {
                try connection.addItem("a")
                try connection.transaction {}
            }
        }
        #expect(error?.message == "cannot start a transaction within a transaction")
        #expect(try connection.names() == [])
    }

    @Test func fullDiskRollsBackAndTheStoreWorksOn() throws {
        try withDatabasePath { path in
            let connection = try Connection(path: path)
            try connection.configureDurableStore()
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
            try connection.addItem("kept")
            try connection.execute("PRAGMA max_page_count=8")
            let error = try sqliteError {
                try connection.transaction {
                    for _ in 0..<100 { try connection.addItem(String(repeating: "x", count: 4000)) }
                }
            }
            #expect(error?.isDiskFull == true)
            #expect(!connection.isInTransaction)
            #expect(try connection.names() == ["kept"])
            try connection.transaction { try connection.addItem("room for this") }
            #expect(try connection.names().count == 2)
        }
    }

    @Test func failedCommitRollsBack() throws {
        let connection = try makeItemDatabase()
        connection.beforeStep = { if $0 == "COMMIT" { throw SQLiteError(.full) } }
        #expect(throws: SQLiteError(.full)) { try connection.transaction { try connection.addItem("a") } }
        #expect(!connection.isInTransaction)
        connection.beforeStep = nil
        #expect(try connection.names() == [])
    }

    @Test func secondWriterIsToldThatTheStoreIsBusy() throws {
        try withDatabasePath { path in
            var options = StoreOptions()
            options.busyTimeout = .zero
            let first = try Connection(path: path)
            let second = try Connection(path: path)
            try first.configureDurableStore(options)
            try second.configureDurableStore(options)
            try first.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
            try first.transaction {
                try first.addItem("a")
                let error = try sqliteError { try second.transaction { try second.addItem("b") } }
                #expect(error?.isBusy == true)
                #expect(error?.statement == "BEGIN IMMEDIATE")
                #expect(!second.isInTransaction)
            }
            try second.transaction { try second.addItem("b") }
            #expect(try first.names() == ["a", "b"])
        }
    }

    @Test func readTransactionSeesOneState() throws {
        try withDatabasePath { path in
            let writer = try Connection(path: path)
            try writer.configureDurableStore()
            try writer.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
            let reader = try Connection(path: path, mode: .readOnly)
            try reader.readTransaction {
                #expect(try reader.names() == [])
                try writer.addItem("a")
                #expect(try reader.names() == [])
            }
            #expect(try reader.names() == ["a"])
        }
    }

    @Test func hookSeesEveryStatementOnceARun() throws {
        let connection = try makeItemDatabase()
        var seen: [String] = []
        connection.beforeStep = { seen.append($0) }
        try connection.transaction {
            try connection.addItem("a")
            try connection.addItem("b")
            try connection.execute("DELETE FROM item WHERE id=7; UPDATE item SET name='c' WHERE id=2")
            _ = try connection.names()
        }
        let insert = "INSERT INTO item (name) VALUES (?)"
        #expect(
            seen == [
                "BEGIN IMMEDIATE", insert, insert, "DELETE FROM item WHERE id=7;",
                "UPDATE item SET name='c' WHERE id=2", "SELECT name FROM item ORDER BY id", "COMMIT",
            ])
    }

    @Test(arguments: 0..<5)
    func faultAtAnyStatementLeavesNothingBehind(failing: Int) throws {
        let connection = try makeItemDatabase()
        try connection.addItem("before")
        var count = 0
        connection.beforeStep = { statement in
            defer { count += 1 }
            if count == failing { throw Stop(statement: statement) }
        }
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.addItem("a")
                try connection.addItem("b")
                try connection.prepare("DELETE FROM item WHERE name=?").run("before")
            }
        }
        connection.beforeStep = nil
        #expect(!connection.isInTransaction)
        #expect(try connection.names() == ["before"])
        try connection.transaction { try connection.addItem("after") }
        #expect(try connection.names() == ["before", "after"])
    }
}
