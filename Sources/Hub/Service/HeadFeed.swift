import Platform
import Synchronization
import TandemItems

/// Tells event streams of new heads. A stream that is slow to ask gets the latest head of each list, once; it holds
/// nobody back and nothing piles up.
///
/// The storage's writer only leaves a head here; a task takes it to the streams, all that came meanwhile together, so
/// that commits do not wait while thousands are told.
final class HeadFeed: Sendable {
    private struct State {
        var subscribers: [ObjectIdentifier: HeadSubscription] = [:]
        /// Announced and not yet taken to the streams.
        var heads: [ListName: Version] = [:]
        var isTelling = false
    }

    private let state = Mutex(State())

    /// A list has reached a sequence.
    func announce(_ list: ListName, at head: Version) {
        let isIdle = state.withLock { state in
            state.heads[list] = max(head, state.heads[list] ?? .none)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isIdle else { return }
        Task { tell() }  // The one of its feed at a time; ends once nothing is left to tell.
    }

    private func tell() {
        while let (heads, subscribers) = takeHeads() {
            for subscriber in subscribers { subscriber.announce(heads) }
        }
    }

    private func takeHeads() -> ([ListName: Version], [HeadSubscription])? {
        state.withLock { state in
            guard !state.heads.isEmpty else {
                state.isTelling = false
                return nil
            }
            defer { state.heads = [:] }
            return (state.heads, Array(state.subscribers.values))
        }
    }

    /// Time for a sign of life.
    func beat() {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.beat() }
    }

    func subscribe(to lists: Set<ListName>) -> HeadSubscription {
        let subscription = HeadSubscription(lists)
        state.withLock { $0.subscribers[ObjectIdentifier(subscription)] = subscription }
        return subscription
    }

    func end(_ subscription: HeadSubscription) {
        _ = state.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    /// How many streams are open.
    var count: Int { state.withLock(\.subscribers.count) }
}

/// One event stream's part of the feed; one task reads it.
final class HeadSubscription: Sendable {
    /// What a stream has to tell.
    struct News: NewsPile {
        var heads: [ListName: Version] = [:]
        var isBeat = false
        var isEmpty: Bool { heads.isEmpty && !isBeat }
    }

    private let lists: Set<ListName>
    private let inbox = NewsInbox<News>()

    init(_ lists: Set<ListName>) { self.lists = lists }

    func announce(_ heads: [ListName: Version]) {
        let heads = heads.filter { lists.contains($0.key) }
        guard !heads.isEmpty else { return }
        inbox.add { $0.heads.merge(heads, uniquingKeysWith: max) }
    }

    func beat() { inbox.add { $0.isBeat = true } }

    /// What is new; waits for it. `nil` once the reading task is cancelled.
    func next() async -> News? { await inbox.next() }
}
