import SQLite
import Testing

@Suite struct StatementTests {
    let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:")
        try connection.execute("CREATE TABLE value (v)")
    }

    /// Stores a value and reads it back.
    private func roundTrip<Value>(_ value: (any Bindable)?, _ read: (Statement) throws -> Value) throws -> Value? {
        try connection.prepare("DELETE FROM value").run()
        try connection.prepare("INSERT INTO value VALUES (?)").run(value)
        return try connection.prepare("SELECT v FROM value").first(read: read)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, (1 << 53) + 1, Int64.max] as [Int64])
    func integersKeepAllBits(value: Int64) throws {
        #expect(try roundTrip(value) { $0.int64(at: 0) } == value)
        #expect(try roundTrip(Int(value)) { $0.int64(at: 0) } == value)
    }

    @Test(arguments: [0.1, -0.0, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity])
    func doublesKeepAllBits(value: Double) throws {
        #expect(try roundTrip(value) { $0.double(at: 0) } == value)
    }

    @Test func notANumberIsStoredAsNull() throws {
        #expect(try roundTrip(Double.nan) { $0.isNull(at: 0) } == true)
    }

    @Test(arguments: ["", "a", "a\0b", "\0", "👩‍👩‍👧‍👦 é e\u{301}", "line\r\nend", String(repeating: "long ", count: 10_000)])
    func textKeepsEveryByte(value: String) throws {
        let text = try #require(try roundTrip(value) { $0.text(at: 0) })
        #expect(Array(text.utf8) == Array(value.utf8))
        #expect(try roundTrip(value) { $0.isNull(at: 0) } == false)
        #expect(try roundTrip(value) { $0.blob(at: 0) } == Array(value.utf8))
    }

    @Test(arguments: [[], [0], [0, 1, 0, 255], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
    func blobsKeepEveryByte(value: [UInt8]) throws {
        #expect(try roundTrip(value) { $0.blob(at: 0) } == value)
        #expect(try roundTrip(value) { $0.isNull(at: 0) } == false)
        let lent = try roundTrip(value) { row in
            row.withBytes(at: 0) { bytes in bytes.indices.map { bytes[$0] } }
        }
        #expect(lent == value)
    }

    @Test func nullIsNeitherEmptyTextNorEmptyBlob() throws {
        #expect(try roundTrip(nil) { $0.isNull(at: 0) } == true)
        #expect(try roundTrip(nil) { $0.optionalText(at: 0) } == .some(nil))
        #expect(try roundTrip([UInt8]()) { $0.optionalBlob(at: 0) } == .some([]))
        #expect(try roundTrip(nil) { $0.optionalInt64(at: 0) } == .some(nil))
        #expect(try roundTrip(nil) { $0.blob(at: 0) } == [])
    }

    @Test func boolsAreOneAndZero() throws {
        #expect(try roundTrip(true) { $0.int64(at: 0) } == 1)
        #expect(try roundTrip(false) { $0.int64(at: 0) } == 0)
    }

    @Test func encodedBytesAreStoredAsText() throws {
        let insert = try connection.prepare("INSERT INTO value VALUES (?)")
        try insert.bindText(utf8: Array("{}".utf8), at: 1)
        #expect(try insert.step() == false)
        #expect(try connection.prepare("SELECT typeof(v) FROM value").first { $0.text(at: 0) } == "text")
    }

    @Test func stepsInALoopNeedNoReset() throws {
        let insert = try connection.prepare("INSERT INTO value VALUES (?)")
        for value in 0..<100 as Range<Int64> {
            try insert.bind(value, at: 1)
            #expect(try insert.step() == false)
        }
        #expect(try connection.prepare("SELECT sum(v) FROM value").first { $0.int64(at: 0) } == 4950)
    }

    @Test func textIsComparedBytewise() throws {
        let insert = try connection.prepare("INSERT INTO value VALUES (?)")
        for text in ["b", "B", "é", "e\u{301}", "a"] { try insert.run(text) }
        let sorted = try connection.prepare("SELECT v FROM value ORDER BY v").all { Array($0.text(at: 0).utf8) }
        #expect(sorted == ["B", "a", "b", "e\u{301}", "é"].map { Array($0.utf8) })
        #expect(try connection.prepare("SELECT count(*) FROM value WHERE v = ?").first("é") { $0.int64(at: 0) } == 1)
    }

    @Test func firstStopsAtTheFirstRowAndResets() throws {
        let numbers = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        #expect(try numbers.first { $0.int64(at: 0) } == 1)
        #expect(!numbers.isRunning)
        #expect(try connection.prepare("SELECT 1 WHERE 0").first { $0.int64(at: 0) } == nil)
    }

    @Test func firstCommitsWhatItReturns() throws {
        let id = try connection.prepare("INSERT INTO value VALUES (?) RETURNING rowid").first("a") { $0.int64(at: 0) }
        #expect(id == 1)
        #expect(!connection.isInTransaction)
        #expect(try connection.prepare("SELECT count(*) FROM value").first { $0.int64(at: 0) } == 1)
    }

    @Test func firstThrowsWhenTheCommitFails() throws {
        try connection.execute(
            """
            PRAGMA foreign_keys=ON;
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            """)
        let insert = try connection.prepare("INSERT INTO child VALUES (?) RETURNING parent")
        let error = try sqliteError { _ = try insert.first(1) { $0.int64(at: 0) } }
        #expect(error?.code == .constraint)
        #expect(try connection.prepare("SELECT count(*) FROM child").first { $0.int64(at: 0) } == 0)
    }

    @Test func errorOfTheReaderEndsTheRun() throws {
        struct Stop: Error {}
        let numbers = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        #expect(throws: Stop.self) { try numbers.query { _ in throw Stop() } }
        #expect(!numbers.isRunning)
        #expect(try numbers.all { $0.int64(at: 0) } == [1, 2])
    }

    @Test func nestedUseOfOneStatementIsRefusedAndTheOuterRunGoesOn() throws {
        let numbers = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        var seen: [Int64] = []
        try numbers.query { row in
            #expect(throws: SQLiteError(.misuse, statement: numbers.sql)) { try numbers.run() }
            seen.append(row.int64(at: 0))
        }
        #expect(seen == [1, 2])
    }

    @Test func valuesAreForgottenAfterARun() throws {
        let insert = try connection.prepare("INSERT INTO value VALUES (?)")
        try insert.run("kept by nobody")
        _ = try insert.step()
        #expect(try connection.prepare("SELECT v FROM value WHERE rowid=2").first { $0.isNull(at: 0) } == true)
    }
}
