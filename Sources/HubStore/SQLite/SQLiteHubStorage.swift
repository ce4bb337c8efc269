package import Hub
package import TandemItems

/// A hub's store in a SQLite database: one writer, a few readers, none of which waits for another.
///
/// Several processes may have the store open and write: nothing is remembered from one transaction to the next, and
/// a sequence is allocated under SQLite's write lock. A write waits up to ten seconds for another process.
package final class SQLiteHubStorage: HubStorage {
    private let file: HubFile
    private let writer = HubWriter()
    private let readers: Lanes<HubReader>

    /// Opens the store in a directory; directory and store are made where they are missing.
    ///
    /// Throws ``HubStorageError``: `.tooNew` and `.corrupt` before anything is changed.
    /// - Parameter mintEpoch: the epoch of a new store; random, and not called for a store that is there.
    package init(
        directory: String, options: HubStoreOptions = HubStoreOptions(), mintEpoch: @Sendable () -> Epoch
    ) async throws {
        file = HubFile(directory: directory, options: options)
        readers = Lanes((0..<options.readers).map { _ in HubReader() })
        try await writer.open(file, mintEpoch: mintEpoch)
        for reader in readers.lanes { try await reader.open(file) }
    }

    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await writer.write(BodyWrite(body, committed: committed))
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any HubReading) throws -> Value
    ) async throws -> Value {
        try await readers.withLeastBusy { try await $0.read(body) }
    }

    /// How many writes wait for the running group to end: how tests know that a group will have company.
    package var queuedWrites: Int { writer.queuedWrites }

    /// Copies one committed state into the file at `path`, whole or not at all, while others write.
    ///
    /// A file that is there is replaced. The copy is readable by this user alone.
    package func backup(to path: String) async throws {
        try await withOwnReader { try await $0.backup(to: path) }
    }

    /// What is wrong with the store, at most some hundred findings; none when it is sound. Reads all of it.
    package func check() async throws -> [String] {
        try await withOwnReader { try await $0.check() }
    }

    /// Changes the bound on the size of the database file, in bytes.
    package func setMaximumBytes(_ bytes: Int) async throws {
        try await writer.setMaximumBytes(bytes)
    }

    /// Finishes the writes that were asked for, moves the log into the database and closes it. Later calls throw.
    package func close() async {
        writer.closeQueue()
        for reader in readers.lanes { await reader.close() }
        await writer.close()
    }

    /// Long reading has a connection of its own, so that it delays no request.
    private func withOwnReader<Value>(_ body: (HubReader) async throws -> Value) async throws -> Value {
        let reader = HubReader()
        try await reader.open(file)
        do {
            let value = try await body(reader)
            await reader.close()
            return value
        } catch {
            await reader.close()
            throw error
        }
    }
}
