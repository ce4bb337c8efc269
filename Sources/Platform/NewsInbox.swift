import Synchronization

/// What can pile up: several pieces of news in one value.
package protocol NewsPile: Sendable {
    /// No news.
    init()
    /// Whether there is nothing to tell.
    var isEmpty: Bool { get }
}

/// Carries news from whoever has some, who never waits, to one reader, who takes what has piled up in one piece.
///
/// The bound is the news' own: each piece is merged into what waits already.
package final class NewsInbox<Pile: NewsPile>: Sendable {
    private struct State {
        var pile = Pile()
        var isEnded = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Merges news into what waits, and wakes the reader.
    package func add(_ merge: (inout Pile) -> Void) { wake { merge(&$0.pile) } }

    /// Nothing more will come; what waits is still read.
    package func end() { wake { $0.isEnded = true } }

    /// What has piled up; waits for it. `nil` once the inbox has ended, or the reading task is cancelled: then what
    /// comes meanwhile waits for the next call. One task reads at a time.
    package func next() async -> Pile? {
        while !Task.isCancelled {
            await waitForNews()
            let (pile, isEnded) = state.withLock { state in
                defer { state.pile = Pile() }
                return (state.pile, state.isEnded)
            }
            if !pile.isEmpty { return pile }
            if isEnded { return nil }
        }
        return nil
    }

    private func waitForNews() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.pile.isEmpty, !state.isEnded, !Task.isCancelled else { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            return state.reader.take()
        }
        reader?.resume()
    }
}
