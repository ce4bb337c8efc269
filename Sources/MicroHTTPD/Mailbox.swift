import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// What tasks tell the server's thread, and the descriptor that wakes it (eventfd(2)).
final class Mailbox: Sendable {
    enum Message {
        case response(Exchange, Response)
        case chunk(Exchange, [UInt8], CheckedContinuation<Bool, Never>)
        case endOfStream(Exchange, isComplete: Bool)
        case stop(within: Duration)
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let descriptor: Int32
    private let state = Mutex(State())

    init() throws(ServerError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ServerError(.refused, systemCall: "eventfd") }
    }

    deinit { Glibc.close(descriptor) }

    /// `false` where the server has ended: nothing was posted.
    @discardableResult
    func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            if state.messages.count == 1 { eventfd_write(descriptor, 1) }
            return true
        }
    }

    /// Returns once the chunk is on its way; `false`: the client takes no more.
    func hand(_ chunk: [UInt8], to exchange: Exchange) async -> Bool {
        await withCheckedContinuation { taken in
            if !post(.chunk(exchange, chunk, taken)) { taken.resume(returning: false) }
        }
    }

    /// On the server's thread.
    func take() -> [Message] {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// On the server's thread, as its last act: answers whoever still waits.
    func close() {
        let (messages, waiters) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.messages, state.waiters)
        }
        for case .chunk(_, _, let taken) in messages { taken.resume(returning: false) }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the server's thread has ended.
    func waitUntilClosed() async {
        await withCheckedContinuation { waiter in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.waiters.append(waiter) }
                return state.isClosed
            }
            if isClosed { waiter.resume() }
        }
    }
}
