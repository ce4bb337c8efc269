import HTTP
import TandemItems
import Wire

extension DaemonError {
    /// No answer came, or not all of it.
    ///
    /// - Parameter changes: whether the request may have changed something.
    init(_ error: TransportError, at address: String, changes: Bool = false) {
        switch error.code {
        case .unreachable, .insecure:
            // libcurl's own message names a host and a port even where it has tried a socket.
            self.init(
                code: Self.unreachable, "the daemon cannot be reached at \(address)",
                hint: "start it with 'systemctl --user start tandemd', or run 'tandemd'")
        case .interrupted:
            self.init(
                code: Self.interrupted, "the daemon did not finish its answer: \(error.message)",
                hint: changes ? "look whether it was done before trying again" : nil)
        case .cancelled: self.init(code: Self.cancelled, error.message)
        case .tooLarge:
            self.init(
                code: Self.answerTooLarge, "the daemon's answer is too large: \(error.message)",
                hint: "ask for less at once")
        case .malformed: self.init(foreign: error.message, at: address)
        }
    }

    /// An answer whose status is no success.
    init(_ response: Response, at address: String) {
        if let failure = Failure(response) {
            self.init(code: failure.code, failure.message, hint: failure.hint)
        } else {
            self.init(foreign: "its answer has the status \(response.status.code)", at: address)
        }
    }

    /// An answer whose status is a success and whose body is not what this route answers.
    init(unreadable reason: String, at address: String) {
        self.init(
            code: Self.unexpectedAnswer, "the answer of the daemon at \(address) cannot be read: \(reason)",
            hint: "the daemon may be of another version: restart it with 'systemctl --user restart tandemd'")
    }

    /// One refused part of an answer that holds several results.
    init(part: JSONObject) throws(InvalidItem) {
        self.init(code: try part.text("code"), try part.text("message"), hint: part["hint"]?.string)
    }

    private init(foreign reason: String, at address: String) {
        self.init(
            code: Self.unexpectedAnswer, "what answers at \(address) is not the Tandem daemon: \(reason)",
            hint: "see which socket TANDEM_SOCKET names")
    }
}
