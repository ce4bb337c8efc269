package import HTTP

/// Requests that a handler never sees.
package enum Refusal: Sendable, Equatable {
    case bodyTooLarge(maximumBytes: Int)
    /// The path or the query is no URI: a cut escape, bytes that are not UTF-8.
    case malformedTarget
    case methodNotAllowed
    /// The request gives its length in two ways.
    case ambiguousLength
    /// The memory for bodies is in use.
    case busy
    /// The server is about to stop.
    case stopping

    /// The answer in the one shape of errors, `{code, message, hint}`.
    package var response: Response {
        switch self {
        case .bodyTooLarge(let maximum):
            Self.response(
                .contentTooLarge, code: "too-large", message: "The body is larger than \(maximum) bytes.",
                hint: "Send it in smaller parts.")
        case .malformedTarget:
            Self.response(
                .badRequest, code: "malformed-target", message: "The path or the query is not a valid URI.",
                hint: "Percent-encode it as UTF-8 (RFC 3986, section 2.1).")
        case .methodNotAllowed:
            Self.response(
                .methodNotAllowed, code: "method-not-allowed", message: "There is no such method here.",
                hint: "Use one of \(Self.methods).", headers: ["Allow": Self.methods])
        case .ambiguousLength:
            Self.response(
                .badRequest, code: "ambiguous-length", message: "The request has both a length and chunks.",
                hint: "Send Content-Length or Transfer-Encoding.", headers: ["Connection": "close"])
        case .busy:
            Self.response(
                .unavailable, code: "busy", message: "The server has too many large requests under way.",
                hint: "Try again in a moment.", headers: ["Retry-After": "2"])
        case .stopping:
            Self.response(
                .unavailable, code: "stopping", message: "The server is stopping.", hint: "Try again in a moment.",
                headers: ["Retry-After": "1"])
        }
    }

    private static let methods = "GET, HEAD, POST, PUT, DELETE"

    /// The texts are constants of this file: nothing in them needs an escape.
    private static func response(
        _ status: Status, code: String, message: String, hint: String, headers: Headers = [:]
    ) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/json"
        headers["Cache-Control"] = "no-store"
        let body = "{\"code\":\"\(code)\",\"message\":\"\(message)\",\"hint\":\"\(hint)\"}\n"
        return Response(status, headers: headers, body: .bytes(Array(body.utf8)))
    }
}
