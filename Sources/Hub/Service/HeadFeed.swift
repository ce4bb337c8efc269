import Synchronization
import TandemItems

/// Tells event streams of new heads. A stream that is slow to ask gets the latest head of each list, once; it holds
/// nobody back and nothing piles up.
final class HeadFeed: Sendable {
    private let subscribers = Mutex<[ObjectIdentifier: HeadSubscription]>([:])

    /// A list has reached a sequence. Called in commit order.
    func announce(_ list: ListName, at head: Version) {
        for subscriber in subscribers.withLock({ Array($0.values) }) { subscriber.announce(list, head) }
    }

    /// Time for a sign of life.
    func beat() {
        for subscriber in subscribers.withLock({ Array($0.values) }) { subscriber.beat() }
    }

    func subscribe(to lists: Set<ListName>) -> HeadSubscription {
        let subscription = HeadSubscription(lists)
        subscribers.withLock { $0[ObjectIdentifier(subscription)] = subscription }
        return subscription
    }

    func end(_ subscription: HeadSubscription) {
        _ = subscribers.withLock { $0.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    /// How many streams are open.
    var count: Int { subscribers.withLock(\.count) }
}

/// One event stream's part of the feed; one task reads it.
final class HeadSubscription: Sendable {
    /// What a stream has to tell.
    struct News: Sendable {
        var heads: [ListName: Version] = [:]
        var isBeat = false
        var isEmpty: Bool { heads.isEmpty && !isBeat }
    }

    private struct State {
        var news = News()
        var waiter: CheckedContinuation<Void, Never>?
        var isEnded = false
    }

    private let lists: Set<ListName>
    private let state = Mutex(State())

    init(_ lists: Set<ListName>) { self.lists = lists }

    func announce(_ list: ListName, _ head: Version) {
        guard lists.contains(list) else { return }
        wake { $0.news.heads[list] = max(head, $0.news.heads[list] ?? .none) }
    }

    func beat() { wake { $0.news.isBeat = true } }

    /// What is new; waits for it. `nil` once the reading task is cancelled.
    func next() async -> News? {
        while true {
            await waitForNews()
            let news: News? = state.withLock { state in
                guard !state.isEnded else { return nil }
                defer { state.news = News() }
                return state.news
            }
            guard let news else { return nil }
            if !news.isEmpty { return news }
        }
    }

    private func waitForNews() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.news.isEmpty, !state.isEnded else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake { $0.isEnded = true }
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
