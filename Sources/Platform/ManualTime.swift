import Synchronization

/// Time that moves only when told to: the same test sees the same instants on every run.
package final class ManualTime: TimeSource {
    private struct Sleeper {
        let key: Int
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var monotonic: Duration = .zero
        /// Wall-clock time at monotonic zero, in Unix milliseconds.
        var origin: Int64
        var nextKey = 0
        /// By deadline, ties in the order they went to sleep.
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    /// - Parameter now: wall-clock start in Unix milliseconds; by default a moment in November 2023.
    package init(now: Int64 = 1_700_000_000_000) {
        state = Mutex(State(origin: now))
    }

    package var now: Int64 {
        state.withLock { $0.origin + $0.monotonic.milliseconds }
    }

    package var monotonic: Duration {
        state.withLock { $0.monotonic }
    }

    /// How many tasks are asleep.
    package var sleeperCount: Int {
        state.withLock { $0.sleepers.count }
    }

    /// Sets the wall clock as a user or NTP would; sleepers and monotonic time do not notice.
    package func setWallClock(_ now: Int64) {
        state.withLock { $0.origin = now - $0.monotonic.milliseconds }
    }

    /// Moves time and wakes everyone due, in order of deadline. Whoever sleeps again while waking sleeps from the new
    /// time, so a simulator steps with `advanceToNextSleeper`.
    package func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not go back")
        let due = state.withLock { state in
            state.monotonic += duration
            return Self.takeDue(&state)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves time to the earliest deadline and wakes who waits for it; `false` when nobody sleeps.
    @discardableResult
    package func advanceToNextSleeper() -> Bool {
        let due = state.withLock { state -> [Sleeper] in
            guard let first = state.sleepers.first else { return [] }
            state.monotonic = max(state.monotonic, first.deadline)
            return Self.takeDue(&state)
        }
        for sleeper in due { sleeper.continuation.resume() }
        return !due.isEmpty
    }

    /// Returns once at least `count` tasks are asleep: the way a test knows that the code under test waits.
    package func sleepers(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add(key, duration, $0) }
        } onCancel: {
            cancel(key)
        }
    }

    private func add(_ key: Int, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.cancelled.remove(key) == nil else { return nil }
            let deadline = state.monotonic + duration
            let index = state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(Sleeper(key: key, deadline: deadline, continuation: continuation), at: index)
            return Self.takeWatchers(&state)
        }
        guard let watchers else { return continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ key: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.key == key }) else {
                state.cancelled.insert(key)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private static func takeDue(_ state: inout State) -> [Sleeper] {
        let count = state.sleepers.firstIndex { $0.deadline > state.monotonic } ?? state.sleepers.endIndex
        defer { state.sleepers.removeFirst(count) }
        return Array(state.sleepers[..<count])
    }

    private static func takeWatchers(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let count = state.sleepers.count
        let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
        state.watchers.removeAll { $0.count <= count }
        return ready
    }
}
