package import Hub
import Platform
package import TandemItems

/// A hub's store in memory: for tests, for the simulator and as the plainest reading of the port's rules.
///
/// It keeps every rule of ``HubStorage`` but that it does not outlive the process.
package final class MemoryHubStorage: HubStorage {
    private let writer: MemoryWriter
    private let readers = Lanes([MemoryReader(), MemoryReader()])

    /// An empty store.
    package init(epoch: Epoch) {
        writer = MemoryWriter(MemoryHubState(epoch: epoch))
    }

    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try await writer.write(body, committed: committed)
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any HubReading) throws -> Value
    ) async throws -> Value {
        let state = await writer.state
        return try await readers.withLeastBusy { try await $0.read(state, body) }
    }
}

/// Owns the state; one body at a time changes it.
private actor MemoryWriter {
    private nonisolated let executor = QueueExecutor(label: "tandem.hub-memory.write")
    private(set) var state: MemoryHubState

    init(_ state: MemoryHubState) { self.state = state }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func write<Value>(
        _ body: @Sendable (any HubTransaction) throws -> Value, committed: @Sendable (Value) -> Void
    ) throws -> Value {
        let session = MemoryHubSession(MemoryHubState(epoch: state.epoch))
        // Moved and not copied, so that dictionaries change in place.
        swap(&state, &session.state)
        defer { swap(&state, &session.state) }
        let value: Value
        do {
            value = try body(session)
            try session.end()
        } catch {
            session.undo()
            throw session.failure ?? error
        }
        committed(value)
        return value
    }
}

/// Runs reading bodies over a copy of the state, so that they keep no writer waiting.
private actor MemoryReader {
    private nonisolated let executor = QueueExecutor(label: "tandem.hub-memory.read")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func read<Value>(_ state: MemoryHubState, _ body: @Sendable (any HubReading) throws -> Value) throws -> Value {
        let session = MemoryHubSession(state)
        let value = try body(session)
        try session.end()
        return value
    }
}
