import Hub
import Synchronization

/// The writes that wait for the writer, in the order they came. Each belongs to a caller that waits for it, so there
/// are never more of them than callers.
final class WriteQueue: Sendable {
    private struct State {
        var writes: [any QueuedWrite] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.writes.count) }

    /// Throws once the queue is closed.
    func add(_ write: any QueuedWrite) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw HubStorageError(.failed, "the store is closed") }
            state.writes.append(write)
        }
    }

    /// All that wait, in order.
    func takeAll() -> [any QueuedWrite] {
        state.withLock { state in
            defer { state.writes = [] }
            return state.writes
        }
    }

    /// Takes no more writes; those that wait stay.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
