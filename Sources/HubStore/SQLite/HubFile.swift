import Glibc
import Hub
import Platform
import SQLite
import TandemItems

/// How a hub's store on disk is opened.
package struct HubStoreOptions: Sendable {
    /// How many reads run at once; each has a connection and a thread.
    package var readers = 2
    /// Cache of the writing connection, in bytes. It holds the pages that a busy hub changes again and again.
    package var writerCacheBytes = 64 << 20
    /// Cache of each reading connection, in bytes.
    package var readerCacheBytes = 8 << 20
    /// The size that the database file may grow to, in bytes, the log beside it not counted; `nil` for no bound.
    package var maximumBytes: Int?
    /// How often the lock of another process is asked for, at intervals of up to 20 ms: ten seconds in all. SQLite's own
    /// waiting asks ten times a second in the end, too seldom to get between the groups of a busy hub.
    package var lockAttempts = 500
    /// For fault injection: see `Connection.beforeStep`. Called for the writing connection, on its thread.
    package var beforeWriterStep: (@Sendable (String) throws -> Void)?

    package init() {}
}

/// The file of a hub's store. Every function blocks.
struct HubFile: Sendable {
    /// The store's directory; made when it is missing, for this user alone.
    let directory: String
    let options: HubStoreOptions

    /// Pages of the log after which a commit moves it into the database: 32 MB. A busy hub changes the same pages again
    /// and again, and the more of that happens between two moves, the less is written.
    private static let checkpointPages = 8192

    var path: String { directory + "/hub.sqlite" }

    /// Opens the store for writing and makes it where there is none yet.
    ///
    /// A file that this program must not touch is found out through a connection that cannot write.
    func openForWriting(mintEpoch: () -> Epoch) throws -> Connection {
        try Files.createDirectory(directory)
        if try !createFile() {
            // SQLite would open them all the same, for reading; or say only that it cannot, where it finds no log.
            try checkWritable(directory)
            try checkWritable(path)
            try inspect()
        }
        let connection = try Connection(path: path)
        try connection.configureDurableStore(storeOptions(cacheBytes: options.writerCacheBytes))
        try connection.transaction {
            // Asked again under the lock: another process may have made it since.
            guard try !HubSchema.isMade(in: connection) else { return }
            try HubSchema.make(in: connection, epoch: mintEpoch())
        }
        if let maximumBytes = options.maximumBytes { try connection.setMaximumBytes(maximumBytes) }
        connection.beforeStep = options.beforeWriterStep
        return connection
    }

    /// Opens a store that is there for reading.
    func openForReading() throws -> Connection {
        let connection = try Connection(path: path, mode: .readOnly)
        try connection.configureDurableStore(storeOptions(cacheBytes: options.readerCacheBytes))
        return connection
    }

    /// Makes an empty file that this user alone can read, and says whether it did; SQLite gives the files beside it the
    /// same mode. One that is there is not even opened: closing it would drop the locks that this process has on it
    /// (https://sqlite.org/howtocorrupt.html, 2.2).
    private func createFile() throws -> Bool {
        do {
            _ = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            return true
        } catch let error where error.code == EEXIST {
            return false
        }
    }

    private func checkWritable(_ path: String) throws {
        guard unsafe access(path, W_OK) != 0 else { return }
        throw PlatformError(code: errno, message: "cannot be written", path: path)
    }

    private func inspect() throws {
        let connection = try Connection(path: path, mode: .readOnly)
        defer { connection.close() }
        try connection.setBusyTimeout(.seconds(10))
        // One state: another process may be making the tables.
        _ = try connection.readTransaction { try HubSchema.isMade(in: connection) }
    }

    private func storeOptions(cacheBytes: Int) -> StoreOptions {
        var options = StoreOptions()
        options.busyTimeout = .seconds(10)
        options.cacheBytes = cacheBytes
        options.walAutocheckpointPages = Self.checkpointPages
        return options
    }
}

extension Connection {
    /// Bounds the database file, in bytes; past it writes fail as on a full disk. Holds for this connection only.
    func setMaximumBytes(_ bytes: Int) throws {
        let pageBytes = try prepare("PRAGMA page_size").first { $0.int64(at: 0) } ?? 4096
        try execute("PRAGMA max_page_count=\(max(1, Int64(bytes) / pageBytes))")
    }
}
