import Hub
import Platform
import SQLite
import TandemItems

/// The one writer of a process: runs queued bodies in groups, one transaction and one fsync a group.
///
/// Whoever queued a write asks for it to be finished. The first to come finds all that wait and commits them together;
/// what queues up while it works is the next group. So groups grow with the load, and nobody waits for company.
actor HubWriter {
    /// A group ends with so many bodies, or with the body that reaches so many changes, so that the first does not
    /// wait long for the last.
    private static let maximumBodies = 256
    private static let maximumChanges = 4096
    private static let lockTimeout = Duration.milliseconds(20)

    private nonisolated let executor = QueueExecutor(label: "tandem.hub-store.write")
    private nonisolated let queue = WriteQueue()
    private var database: HubDatabase?
    private var path = ""
    private var identity: FileIdentity?
    private var lockAttempts = 1
    /// Taken from the queue, the next one last.
    private var backlog: [any QueuedWrite] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func open(_ file: HubFile, mintEpoch: @Sendable () -> Epoch) throws {
        do {
            let connection = try file.openForWriting(mintEpoch: mintEpoch)
            try connection.setBusyTimeout(Self.lockTimeout)
            lockAttempts = file.options.lockAttempts
            path = file.path
            identity = FileIdentity(of: path)
            database = HubDatabase(connection)
        } catch {
            throw HubStorageError(error)
        }
    }

    func setMaximumBytes(_ bytes: Int) throws {
        do { try database?.connection.setMaximumBytes(bytes) } catch { throw HubStorageError(error) }
    }

    /// Returns once the body is durable, or has failed.
    nonisolated func write<Value>(_ write: BodyWrite<Value>) async throws -> Value {
        try queue.add(write)
        await finish(write)
        guard let result = write.result else { preconditionFailure("a finished write has a result") }
        return try result.get()
    }

    /// How many writes wait for the next group.
    nonisolated var queuedWrites: Int { queue.count }

    /// Takes no more writes.
    nonisolated func closeQueue() { queue.close() }

    /// Finishes what is queued, moves the log into the database and closes it.
    func close() {
        while let write = next() {
            backlog.append(write)
            commitGroup()
        }
        // The log holds all that is committed; where it cannot be moved now, the next start goes on with it.
        _ = try? database?.connection.checkpoint(truncate: true)
        database?.close()
        database = nil
    }

    private func finish(_ write: any QueuedWrite) {
        while !write.isDone { commitGroup() }
    }

    private func commitGroup() {
        var group: [any QueuedWrite] = []
        do {
            guard let database else { throw HubStorageError(.failed, "the store is closed") }
            // What was written to a file that no path leads to would be gone with this process.
            guard FileIdentity(of: path) == identity else {
                throw HubStorageError(.failed, "\(path) was deleted or replaced while it was in use")
            }
            try database.connection.lockedTransaction(attempts: lockAttempts) {
                var changes = 0
                while group.count < Self.maximumBodies, changes < Self.maximumChanges, let write = next() {
                    group.append(write)
                    changes += try run(write, in: database)
                }
            }
            for write in group { write.finish() }
        } catch {
            // Without a transaction there is no group: then all that waited for one hear of it.
            if group.isEmpty { while let write = next() { group.append(write) } }
            let failure = HubStorageError(error)
            for write in group { write.fail(failure) }
        }
    }

    /// Runs one body in a savepoint, and returns how much it changed. Throws where the whole group is lost.
    private func run(_ write: any QueuedWrite, in database: HubDatabase) throws -> Int {
        try database.statement(.savepoint).run()
        let session = SQLiteHubSession(database)
        if !write.run(in: session) {
            // A full disk, for one, may have made SQLite roll back everything.
            guard database.connection.isInTransaction else {
                throw session.failure ?? HubStorageError(.failed, "the transaction was rolled back")
            }
            try database.statement(.rollBackToSavepoint).run()
        }
        try database.statement(.releaseSavepoint).run()
        return session.rowsWritten
    }

    private func next() -> (any QueuedWrite)? {
        if backlog.isEmpty { backlog = queue.takeAll().reversed() }
        return backlog.popLast()
    }
}

extension Connection {
    /// A transaction that asks for the lock again and again while another process holds it.
    fileprivate func lockedTransaction(attempts: Int, _ body: () throws -> Void) throws {
        for attempt in 1...attempts {
            var isLocked = false
            do {
                return try transaction {
                    isLocked = true
                    try body()
                }
            } catch let error as SQLiteError where error.isBusy && !isLocked && attempt < attempts {
                continue
            }
        }
    }
}
