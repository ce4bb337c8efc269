import CCurl
import HTTP
import Platform
import Synchronization

/// The thread on which libcurl works for one or more transports.
///
/// It starts with the first request and ends when the last owner lets go.
package final class CurlThread: Sendable {
    private let mailbox = Mailbox()

    package init() {}

    deinit { mailbox.close() }

    func submit(_ transfer: Transfer) {
        mailbox.post(.add(transfer))
    }

    func cancel(_ transfer: Transfer) {
        transfer.isCancelled.store(true, ordering: .releasing)
        mailbox.post(.cancel(transfer))
    }

    func resume(_ transfer: Transfer) {
        mailbox.post(.resume(transfer))
    }
}

/// What the curl thread is to do, and the way to wake it. Held by the thread and by its owner.
private final class Mailbox: Sendable {
    enum Command {
        case add(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
    }

    private struct State: @unchecked Sendable {
        var commands: [Command] = []
        /// Only ever woken from here, under the lock: the thread takes it away before it frees it.
        var multi: UnsafeMutableRawPointer?
        var isClosed = false
    }

    /// Once in a process, before anything else of libcurl (curl_global_init(3)).
    private static let library: CURLcode = tandem_curl_global_init()

    private let state = Mutex(State())

    func post(_ command: Command) {
        let error = state.withLock { state -> TransportError? in
            if state.multi == nil {
                guard case .add = command else { return nil }
                do throws(TransportError) { state.multi = try start() } catch { return error }
            }
            state.commands.append(command)
            if state.commands.count == 1 { curl_multi_wakeup(state.multi) }
            return nil
        }
        if let error, case .add(let transfer) = command { transfer.fail(error) }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            if let multi = state.multi { curl_multi_wakeup(multi) }
        }
    }

    private func start() throws(TransportError) -> UnsafeMutableRawPointer {
        guard Self.library == CURLE_OK, let multi = curl_multi_init() else {
            throw TransportError(.unreachable, "libcurl could not start")
        }
        let handle = SendablePointer(pointer: multi)
        guard DetachedThread.start({ self.run(MultiLoop(multi: handle.pointer)) }) else {
            curl_multi_cleanup(multi)
            throw TransportError(.unreachable, "the curl thread could not start")
        }
        return multi
    }

    private func run(_ loop: MultiLoop) {
        tandem_curl_name_thread("curl")
        while let commands = take() {
            for command in commands {
                switch command {
                case .add(let transfer): loop.add(transfer)
                case .cancel(let transfer): loop.cancel(transfer)
                case .resume(let transfer): transfer.resume()
                }
            }
            loop.perform()
            loop.wait()
        }
        loop.close()
    }

    /// `nil` where the owner has let go: nobody waits for an answer then, for a waiting caller holds the owner.
    private func take() -> [Command]? {
        state.withLock { state in
            if state.isClosed {
                state.multi = nil
                return nil
            }
            defer { state.commands.removeAll(keepingCapacity: true) }
            return state.commands
        }
    }
}

private struct SendablePointer: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}
