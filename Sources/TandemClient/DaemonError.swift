/// Why the daemon did not do what it was asked: its own refusal, or that it could not be asked at all.
public struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For programs; stays the same when the wording changes. The daemon's own codes (`no-such-item`, `timed-out`),
    /// or one of those below.
    public let code: String
    /// What went wrong, for people.
    public let message: String
    /// What to do about it, for people.
    public let hint: String?

    /// Makes an error.
    public init(code: String, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, and the hint in parentheses.
    public var description: String { hint.map { "\(message) (\($0))" } ?? message }

    /// Nothing listens at the socket: the request has changed nothing.
    public static let unreachable = "daemon-unreachable"
    /// The daemon left, or took too long, after it was asked: it may have done what it was asked.
    public static let interrupted = "daemon-interrupted"
    /// The answer is no answer of this API: another program listens at the socket, or another version of the daemon.
    public static let unexpectedAnswer = "unexpected-answer"
    /// The answer is larger than a client takes.
    public static let answerTooLarge = "answer-too-large"
    /// The task that asked was cancelled: the daemon may have done what it was asked.
    public static let cancelled = "cancelled"
}
