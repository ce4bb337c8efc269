import HTTP
import Sync
import Wire

extension HubError {
    /// Why no answer came.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unreachable
            case .interrupted, .cancelled: .interrupted
            case .insecure: .insecure
            case .malformed: .notAHub
            case .tooLarge: .rejected
            }
        self.init(code, Self.beginning(error.code) + error.message)
    }

    /// Whose fault it was: the library's message does not say.
    private static func beginning(_ code: TransportError.Code) -> String {
        switch code {
        case .unreachable: "the hub cannot be reached: "
        case .interrupted, .cancelled: "the hub did not finish its answer: "
        case .insecure: "the hub cannot be trusted: "
        case .malformed: "what answers there is no Tandem hub: "
        case .tooLarge: ""
        }
    }

    /// An answer whose status is not 200.
    ///
    /// A proxy before the hub answers in its own words: what it says of size, load and a hub that is away is taken as
    /// if the hub had said it; anything else shows that there is no hub.
    init(refusal response: Response, body: [UInt8]) {
        var whole = response
        whole.body = .bytes(body)
        let failure = Failure(whole)
        let code = failure.map { Code($0.status, code: $0.code) } ?? Code(ofProxy: response.status.code)
        let message = failure?.description.cut(toBytes: HubText.messageBytes)
        self.init(code, message ?? Self.words(for: response), retryAfter: Self.wait(response))
    }

    /// At most an hour, so that a mistaken number stops nobody for good.
    private static func wait(_ response: Response) -> Duration? {
        response.headers["Retry-After"].flatMap { Int($0) }.map { .seconds(min(max($0, 0), 3_600)) }
    }

    private static func words(for response: Response) -> String {
        let status = response.status.code
        guard (300..<400).contains(status), let place = response.headers["Location"] else {
            return "what answers there did so with status \(status) and no Tandem message"
        }
        return "the address leads on to \(place.prefix(200)): join with the address that the hub itself has"
    }
}

extension HubError.Code {
    /// What a hub's own error answer means.
    fileprivate init(_ status: Int, code: String) {
        switch (status, code) {
        case (401, _): self = .unauthorized
        case (403, _): self = .forbidden
        case (404, "no-such-list"): self = .noSuchList
        case (404, _): self = .notAHub
        case (409, "history-diverged"): self = .historyDiverged
        case (410, _): self = .gone
        case (413, _): self = .tooLarge
        case (426, _): self = .upgradeRequired
        case (408, _), (429, _), (503, _): self = .busy
        case (500..., _): self = .failed
        default: self = .rejected
        }
    }

    /// What an answer means that is in nobody's words.
    fileprivate init(ofProxy status: Int) {
        switch status {
        case 413: self = .tooLarge
        case 408, 429, 502, 503, 504: self = .busy
        case 500...: self = .failed
        default: self = .notAHub
        }
    }
}
