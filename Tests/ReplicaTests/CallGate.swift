import Synchronization

/// A place where calls wait until it is opened.
final class CallGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var watchers: [CheckedContinuation<Void, Never>] = []
        var cancelled: Set<Int> = []
        var last = 0
    }

    private let state = Mutex(State())

    /// Waits; says whether it was opened, or the task cancelled.
    func pass() async -> Bool {
        let key = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(key, $0) }
        } onCancel: {
            let waiting = state.withLock { state in
                state.cancelled.insert(key)
                return state.waiting.removeValue(forKey: key)
            }
            waiting?.resume(returning: false)
        }
    }

    private func wait(_ key: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let (answer, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
            defer { state.watchers = [] }
            if state.isOpen { return (true, state.watchers) }
            if state.cancelled.contains(key) { return (false, state.watchers) }
            state.waiting[key] = continuation
            return (nil, state.watchers)
        }
        for watcher in watchers { watcher.resume() }
        if let answer { continuation.resume(returning: answer) }
    }

    /// Returns once a call has come to the gate.
    func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.last > 0 { return true }
                state.watchers.append(continuation)
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: true) }
    }
}
