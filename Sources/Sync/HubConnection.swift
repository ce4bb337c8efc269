package import TandemItems

/// The hub as a replica sees it. Every call is one exchange over the network; none holds anything of the store.
///
/// Contract, which `HubConnectionTests` holds every implementation to: a call that throws ``HubError`` with
/// ``HubError/Code-swift.enum/interrupted`` may have been carried out; any call may be repeated without harm.
package protocol HubConnection: Sendable {
    func hello() async throws(HubError) -> Hello
    /// Sends mutations in order. The answer has an outcome for each, or, where it would grow too large, for the first
    /// of them, at least one: the hub has not touched the rest, which is to be sent again.
    ///
    /// - Parameter seen: the furthest place of the hub's history that the bases come from. Throws `historyDiverged`
    ///   where the hub does not have that history; then nothing was changed.
    func push(
        _ mutations: [Mutation], to list: ListName, seen: Cursor?
    ) async throws(HubError) -> PushAnswer
    /// Asks for one page of what changed past a cursor; `nil` asks from the beginning, without deleted items.
    func changes(in list: ListName, since cursor: Cursor?, limit: Int) async throws(HubError) -> ChangesPage
    /// Opens the stream of events and returns once the hub has answered. The stream throws ``HubError`` when it
    /// breaks. Ending the iteration closes it.
    func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error>
}

/// Why an exchange with the hub did not give what was asked.
package struct HubError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The hub did not receive the request.
        case unreachable
        /// The exchange broke after it began: the hub may have carried it out.
        case interrupted
        /// The certificate or the handshake was refused.
        case insecure
        /// Something answers there, but it is no hub.
        case notAHub = "not-a-hub"
        /// The token is unknown, revoked or expired.
        case unauthorized
        /// The token may not do this with the list.
        case forbidden
        case noSuchList = "no-such-list"
        /// The hub has forgotten deletions that are newer than the cursor.
        case gone
        /// The request is larger than the hub accepts.
        case tooLarge = "too-large"
        /// One of the two ends is too old for the other.
        case upgradeRequired = "upgrade-required"
        /// Ask again later.
        case busy
        /// The cursor is from another history than the hub's.
        case historyDiverged = "history-diverged"
        /// The hub found the request malformed: a fault of this program.
        case rejected
        /// The hub has a fault of its own.
        case failed
    }

    package var code: Code
    package var message: String
    /// When to ask again, where the hub said it.
    package var retryAfter: Duration?

    package init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    package var description: String { message }
}
