import Platform
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
    package struct News: NewsPile {
        package var commits: [Commit] = []
        /// There was more than the bound: read the changes after the last known stamp from the store.
        package var fellBehind = false
        /// The state of the sync may have changed.
        package var hasStatus = false
        /// How many item changes came.
        private var size = 0

        package init() {}

        package var isEmpty: Bool { commits.isEmpty && !fellBehind && !hasStatus }

        fileprivate mutating func add(_ more: [Commit]) {
            guard !fellBehind else { return }
            size += more.reduce(0) { $0 + $1.changes.count }
            fellBehind = size > CommitSubscription.bound
            commits = fellBehind ? [] : commits + more
        }
    }

    /// How many item changes wait for a slow subscriber at most.
    package static let bound = 4_096

    private let inbox = NewsInbox<News>()

    func add(_ commits: [Commit]) { inbox.add { $0.add(commits) } }

    func addStatus() { inbox.add { $0.hasStatus = true } }

    func finish() { inbox.end() }

    /// What is new; waits for it. `nil` once the subscription has ended or the reading task is cancelled.
    package func next() async -> News? { await inbox.next() }
}
