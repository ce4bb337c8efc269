import CSQLite
import Platform

/// How a durable store is opened. Sizes are bytes.
package struct StoreOptions: Sendable {
    /// How long a statement waits for the lock of another connection before it throws `busy`.
    package var busyTimeout: Duration = .seconds(5)
    package var cacheBytes = 8 << 20
    /// Reads through a memory map up to this size. 0 for none: an I/O error in a map is a signal and not an error.
    package var mmapBytes = 0
    /// WAL pages after which a commit also checkpoints; 0 leaves that to `checkpoint`.
    package var walAutocheckpointPages = 1000

    package init() {}
}

extension Connection {
    /// Settings of a store that keeps its promises: every commit is on the disk when it returns (WAL with
    /// `synchronous=FULL`), foreign keys hold, temporary tables stay in memory.
    ///
    /// Throws `cantOpen` when the file system cannot do WAL (it needs shared memory).
    package func configureDurableStore(_ options: StoreOptions = StoreOptions()) throws {
        try setBusyTimeout(options.busyTimeout)
        if mode != .readOnly { try setWriteAheadLog() }
        try execute(
            """
            PRAGMA synchronous=FULL;
            PRAGMA foreign_keys=ON;
            PRAGMA temp_store=MEMORY;
            PRAGMA cache_size=\(-(options.cacheBytes / 1024));
            PRAGMA mmap_size=\(options.mmapBytes);
            PRAGMA wal_autocheckpoint=\(options.walAutocheckpointPages);
            """)
    }

    package func setBusyTimeout(_ timeout: Duration) throws {
        try handle.check(sqlite3_busy_timeout(try handle.database(), Int32(clamping: timeout.milliseconds)))
    }

    /// The schema's number, ours to define; 0 in a new file. It is part of the transaction that sets it.
    package var userVersion: Int32 {
        get throws {
            let version = try prepare("PRAGMA user_version").first { $0.int64(at: 0) }
            return Int32(truncatingIfNeeded: version ?? 0)
        }
    }

    package func setUserVersion(_ version: Int32) throws {
        try execute("PRAGMA user_version=\(version)")
    }

    private func setWriteAheadLog() throws {
        let answer = try prepare("PRAGMA journal_mode=WAL").first { $0.text(at: 0) }
        guard answer == "wal" || answer == "memory" else {
            throw SQLiteError(.cantOpen, statement: "PRAGMA journal_mode=WAL")
        }
    }
}
