import Hub
import Synchronization

/// A body that waits for its turn, runs in a transaction with others, and learns how that ended.
///
/// Made by the caller, run by the writer: waiting → ran or threw → done. Only a body that ran is `committed`.
protocol QueuedWrite: AnyObject, Sendable {
    var isDone: Bool { get }
    /// Runs the body, and says whether its changes are to be kept.
    func run(in session: SQLiteHubSession) -> Bool
    /// The transaction is durable: tells whoever wants to hear of it.
    func finish()
    /// The transaction failed, or never began. A body that had thrown keeps its own error.
    func fail(_ error: HubStorageError)
}

/// The one kind of queued write; its protocol hides what the body answers.
final class BodyWrite<Value: Sendable>: QueuedWrite {
    private enum State {
        case waiting
        case ran(Value)
        case threw(any Error)
        case done(Result<Value, any Error>)
    }

    private let body: @Sendable (any HubTransaction) throws -> Value
    private let committed: @Sendable (Value) -> Void
    private let state = Mutex(State.waiting)

    init(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) {
        self.body = body
        self.committed = committed
    }

    var isDone: Bool { result != nil }

    /// How it ended; `nil` before that.
    var result: Result<Value, any Error>? {
        state.withLock { if case .done(let result) = $0 { result } else { nil } }
    }

    func run(in session: SQLiteHubSession) -> Bool {
        do {
            let value = try body(session)
            try session.end()
            state.withLock { $0 = .ran(value) }
            return true
        } catch {
            let error = session.failure ?? error
            state.withLock { $0 = .threw(error) }
            return false
        }
    }

    func finish() {
        let value: Value? = state.withLock { state in
            switch state {
            case .ran(let value):
                state = .done(.success(value))
                return value
            case .threw(let error):
                state = .done(.failure(error))
                return nil
            case .waiting, .done: preconditionFailure("a write ends once, after it ran")
            }
        }
        if let value { committed(value) }
    }

    func fail(_ error: HubStorageError) {
        state.withLock { state in
            if case .threw(let own) = state { state = .done(.failure(own)) } else { state = .done(.failure(error)) }
        }
    }
}
