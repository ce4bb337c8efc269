import Synchronization

/// Tells subscribers of commits, in commit order.
///
/// Publishing never waits: a subscriber that is slow gets what piled up in one piece, and one for which too much piled
/// up is told to reload. Nobody hears of a change before it is committed.
package final class CommitFeed: Sendable {
    private let subscriptions = Mutex<[ObjectIdentifier: CommitSubscription]>([:])

    package init() {}

    /// Called by the storage after each commit, in commit order.
    func publish(_ commits: [Commit]) {
        guard !commits.isEmpty else { return }
        for subscription in subscriptions.withLock({ Array($0.values) }) { subscription.add(commits) }
    }

    /// Something else that subscribers show has changed: the state of the sync, a list.
    func publishStatus() {
        for subscription in subscriptions.withLock({ Array($0.values) }) { subscription.addStatus() }
    }

    /// Begins to collect commits from now on.
    package func subscribe() -> CommitSubscription {
        let subscription = CommitSubscription()
        subscriptions.withLock { $0[ObjectIdentifier(subscription)] = subscription }
        return subscription
    }

    package func end(_ subscription: CommitSubscription) {
        _ = subscriptions.withLock { $0.removeValue(forKey: ObjectIdentifier(subscription)) }
        subscription.finish()
    }
}

/// One subscriber's share of the feed; one task reads it.
package final class CommitSubscription: Sendable {
    /// What has piled up since the subscriber asked last.
    package struct News: Sendable {
        package var commits: [Commit] = []
        /// There was more than the bound: read the changes after the last known stamp from the store.
        package var fellBehind = false
        /// The state of the sync may have changed.
        package var hasStatus = false

        var isEmpty: Bool { commits.isEmpty && !fellBehind && !hasStatus }
    }

    /// How many item changes wait for a slow subscriber at most.
    package static let bound = 4_096

    private struct State {
        var news = News()
        var size = 0
        var isFinished = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ commits: [Commit]) {
        wake { state in
            guard !state.news.fellBehind else { return }
            state.size += commits.reduce(0) { $0 + $1.changes.count }
            state.news.fellBehind = state.size > Self.bound
            state.news.commits = state.news.fellBehind ? [] : state.news.commits + commits
        }
    }

    func addStatus() { wake { $0.news.hasStatus = true } }

    func finish() { wake { $0.isFinished = true } }

    /// What is new; waits for it. `nil` once the subscription has ended or the reading task is cancelled.
    package func next() async -> News? {
        while !Task.isCancelled {
            await waitForNews()
            let (news, isFinished) = state.withLock { state in
                defer { (state.news, state.size) = (News(), 0) }
                return (state.news, state.isFinished)
            }
            if !news.isEmpty { return news }
            if isFinished { return nil }
        }
        return nil
    }

    private func waitForNews() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.news.isEmpty, !state.isFinished, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
