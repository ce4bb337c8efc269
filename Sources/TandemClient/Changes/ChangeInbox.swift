import Synchronization
import TandemItems
import Wire

/// What waits between the task that reads the daemon's events and the main queue. The reader never waits here: what
/// exceeds the bound becomes a reload.
final class ChangeInbox: Sendable {
    /// How many changed items wait at most.
    static let maximumItems = 4_096
    /// How many bytes of events are taken between two deliveries at most.
    static let maximumBytes = 4 << 20

    private struct State {
        var changes = ChangeCoalescer()
        var bytes = 0
        var needsReload = false
        var hasStatus = false
        /// `nil` before the first try has ended.
        var isConnected: Bool?
        var problem: DaemonError?
        var stamp: Int64?
        var hasNews = false
        var isEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// What is told to read anew need not be told the changes before.
        mutating func reload() {
            needsReload = true
            changes = ChangeCoalescer()
        }

        mutating func take() -> ChangeBatch {
            defer { (bytes, needsReload, hasStatus, hasNews) = (0, false, false, false) }
            return ChangeBatch(
                reports: changes.take(), needsReload: needsReload, hasStatus: hasStatus,
                isConnected: isConnected ?? false, problem: problem, stamp: stamp)
        }
    }

    private let state = Mutex(State())

    /// The stream has begun, or begun anew: every change after this stamp follows.
    func begin(at stamp: Int64, needsReload: Bool) {
        update { state in
            let isNew = state.isConnected != true
            (state.isConnected, state.problem, state.stamp) = (true, nil, stamp)
            if isNew { state.hasStatus = true }
            if needsReload { state.reload() }
            return isNew || needsReload
        }
    }

    /// The daemon is lost.
    func lose(_ problem: DaemonError) {
        update { state in
            let isNew = state.isConnected != false || state.problem?.code != problem.code
            (state.isConnected, state.problem) = (false, problem)
            return isNew
        }
    }

    /// - Parameter bytes: the size of the report as an event.
    func add(_ report: ChangeReport, bytes: Int) {
        update { state in
            state.stamp = report.stamp
            guard !state.needsReload, !report.changes.isEmpty else { return false }
            state.bytes += bytes
            state.changes.add(report)
            if state.changes.count > Self.maximumItems || state.bytes > Self.maximumBytes { state.reload() }
            return true
        }
    }

    /// A change that is not for this subscriber.
    func pass(_ stamp: Int64) {
        update { state in
            state.stamp = stamp
            return false
        }
    }

    func addStatus() {
        update { state in
            state.hasStatus = true
            return true
        }
    }

    /// Nothing is given out from here on.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            state.changes = ChangeCoalescer()
            return state.waiters.removing()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Everything that is new, once there is something, in a turn of the main queue of its own; `nil` after the end.
    ///
    /// What it returns has been taken in the turn in which it returns: a caller on the main actor that uses it before
    /// its next `await` uses the newest.
    @MainActor
    func nextBatch() async -> ChangeBatch? {
        await turn()
        while true {
            let (batch, isEnded) = state.withLock { state in
                (state.isEnded || !state.hasNews ? nil : state.take(), state.isEnded)
            }
            if batch != nil || isEnded { return batch }
            await turn()
        }
    }

    /// Returns in a later turn of the main queue, when there is news or the end.
    @MainActor
    private func turn() async {
        guard !state.withLock({ $0.hasNews || $0.isEnded }) else { return await Task.yield() }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.hasNews, !state.isEnded { state.waiters.append(continuation) }
                return state.hasNews || state.isEnded
            }
            if isReady { continuation.resume() }
        }
    }

    /// - Parameter change: returns whether there is something to tell.
    private func update(_ change: (inout State) -> Bool) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.isEnded, change(&state) else { return [] }
            state.hasNews = true
            return state.waiters.removing()
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension Array {
    /// The elements; afterwards there are none.
    fileprivate mutating func removing() -> [Element] {
        defer { self = [] }
        return self
    }
}
