import Foundation
import SQLite

/// Runs `body` with the path of a database file in a directory of its own, which goes afterwards.
func withDatabasePath<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A directory that stays behind in /tmp is no reason to fail.
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.appending(path: "store.db").path)
}

/// A database in memory with one table, `item (id INTEGER PRIMARY KEY, name TEXT UNIQUE)`.
func makeItemDatabase() throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    return connection
}

extension Connection {
    /// Names of all items, by id.
    func names() throws -> [String] {
        try prepare("SELECT name FROM item ORDER BY id").all { $0.text(at: 0) }
    }

    func addItem(_ name: String) throws {
        try prepare("INSERT INTO item (name) VALUES (?)").run(name)
    }
}

/// The SQLite error that `body` throws, `nil` when it throws none.
func sqliteError(in body: () throws -> Void) throws -> SQLiteError? {
    do {
        try body()
        return nil
    } catch let error as SQLiteError {
        return error
    }
}
