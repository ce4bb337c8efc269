/// The way to a service: a socket through libcurl, or a handler in the same process.
package protocol Transport: Sendable {
    /// Sends a request and collects the whole answer. Any HTTP status is an answer, not an error.
    func send(_ request: Request) async throws(TransportError) -> Response

    /// Sends a request and returns once the answer's headers are there; the body is a stream that the caller reads.
    /// Ending the iteration (or cancelling its task) closes the exchange.
    func open(_ request: Request) async throws(TransportError) -> Response
}

/// Why no answer came.
package struct TransportError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The request did not reach a server: it has changed nothing there.
        case unreachable
        /// The exchange broke or timed out after it began: the server may have acted on it.
        case interrupted
        /// The peer's certificate or the TLS handshake was refused.
        case insecure
        /// The answer is larger than this end accepts.
        case tooLarge
        /// What came is not HTTP.
        case malformed
        case cancelled
    }

    package let code: Code
    /// The library's own message.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

/// A transport that calls a handler in this process.
package struct HandlerTransport: Transport {
    private let handler: any Handler

    package init(_ handler: any Handler) { self.handler = handler }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        var response = await handler.respond(to: request)
        guard case .stream(let stream) = response.body else { return response }
        var bytes: [UInt8] = []
        do {
            for try await chunk in stream { bytes += chunk }
        } catch {
            throw TransportError(.interrupted, "\(error)")
        }
        response.body = .bytes(bytes)
        return response
    }

    package func open(_ request: Request) async throws(TransportError) -> Response {
        await handler.respond(to: request)
    }
}
