import Hub
import Platform
import SQLite

/// One reading connection: runs bodies one after another, each over one snapshot.
actor HubReader {
    private nonisolated let executor = QueueExecutor(label: "tandem.hub-store.read")
    private var database: HubDatabase?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func open(_ file: HubFile) throws {
        do { database = HubDatabase(try file.openForReading()) } catch { throw HubStorageError(error) }
    }

    func read<Value>(_ body: @Sendable (any HubReading) throws -> Value) throws -> Value {
        guard let database else { throw HubStorageError(.failed, "the store is closed") }
        do {
            return try database.connection.readTransaction {
                let session = SQLiteHubSession(database)
                // The first read fixes the snapshot: before the body, which may take its time until it reads.
                _ = try session.epoch()
                let value = try body(session)
                try session.end()
                return value
            }
        } catch let error as SQLiteError {
            throw HubStorageError(error)
        }
    }

    /// What is wrong with the store.
    func check() throws -> [String] {
        guard let database else { throw HubStorageError(.failed, "the store is closed") }
        do {
            return try database.connection.readTransaction { try HubInspection(database.connection).findings() }
        } catch let error as SQLiteError where error.isCorrupt {
            return [error.message]
        } catch {
            throw HubStorageError(error)
        }
    }

    /// Copies one state of the store into a new file of this user alone, then puts it in the place of `path`.
    func backup(to path: String) throws {
        guard let database else { throw HubStorageError(.failed, "the store is closed") }
        do { try database.connection.writeCopy(to: path) } catch { throw HubStorageError(error) }
    }

    func close() {
        database?.close()
        database = nil
    }
}
