import HTTP
import Synchronization

/// The body of an open exchange, between the curl thread that fills it and the task that reads it.
///
/// Bounded: `append` refuses bytes while `capacity` or more are unread, the transfer pauses, and the read that
/// empties the buffer lets it go on.
final class BodyStream: Sendable {
    private struct State {
        var unread: [UInt8] = []
        var isPaused = false
        var isEnded = false
        var failure: TransportError?
        var reader: CheckedContinuation<Void, Never>?

        var isReadable: Bool { !unread.isEmpty || isEnded }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The transfer waits for the reader.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// On the curl thread. `false`: nothing was taken, pause the transfer.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.unread.count < capacity else {
                state.isPaused = true
                return (false, nil)
            }
            state.unread.append(contentsOf: bytes)
            return (true, state.reader.take())
        }
        reader?.resume()
        return isTaken
    }

    /// No more will come; the first call counts. What is unread is still read before a failure is thrown.
    func end(_ failure: TransportError?) {
        let reader = state.withLock { state in
            if !state.isEnded { state.failure = failure }
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Everything that is unread, once there is something; `nil` at the end. One reader at a time.
    /// - Parameter resume: called where the transfer was paused and there is room again.
    func next(resume: () -> Void) async throws(TransportError) -> [UInt8]? {
        await waitUntilReadable()
        let (bytes, failure, wasPaused) = state.withLock { state in
            let taken = (state.unread, state.unread.isEmpty ? state.failure : nil, state.isPaused)
            state.unread = []
            state.isPaused = false
            return taken
        }
        if wasPaused { resume() }
        if let failure { throw failure }
        return bytes.isEmpty ? nil : bytes
    }

    private func waitUntilReadable() async {
        await withCheckedContinuation { continuation in
            let isReadable = state.withLock { state in
                if !state.isReadable { state.reader = continuation }
                return state.isReadable
            }
            if isReadable { continuation.resume() }
        }
    }
}
