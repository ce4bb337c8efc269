/// Where the parts of a store lie in its directory.
struct ReplicaFiles: Sendable {
    let directory: String

    var database: String { directory + "/replica.sqlite3" }
    var lock: String { directory + "/lock" }
    /// There while a damaged store is being replaced; holds the name of the directory that it was moved to.
    var rescue: String { directory + "/salvaging" }
    /// The database with the files that SQLite keeps beside it (https://sqlite.org/tempfiles.html), in the order in
    /// which they are to be moved: a log without its database is lost, a database without its log is not.
    var parts: [String] { ["-shm", "-wal", ""].map { database + $0 } }
}
