import CCurl
package import HTTP

/// The way to one service through libcurl: HTTP/1.1, connections kept and used again, no redirects followed.
///
/// Requests may be made from any task; none of them blocks a thread but the curl thread. Cancelling the task of a
/// request closes its connection.
package final class CurlTransport: Transport, Sendable {
    private let endpoint: Endpoint
    private let options: Options
    private let thread: CurlThread

    /// - Parameter thread: shared by transports that are to share it; by default one of the transport's own.
    package init(endpoint: Endpoint, options: Options = Options(), thread: CurlThread = CurlThread()) {
        self.endpoint = endpoint
        self.options = options
        self.thread = thread
    }

    /// libcurl's name and version and those of the libraries that it uses (curl_version(3)).
    package static var libraryVersion: String { String(cString: curl_version()) }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        try await answer(to: transfer(request, .collect(limit: options.maximumResponseBytes)))
    }

    package func open(_ request: Request) async throws(TransportError) -> Response {
        let body = BodyStream(capacity: options.maximumUnreadBytes)
        let transfer = transfer(request, .stream(body))
        let reader = BodyReader(transfer, body, thread)
        var response = try await answer(to: transfer)
        response.body = .stream(ByteStream { try await reader.next() })
        return response
    }

    private func transfer(_ request: Request, _ sink: Transfer.Sink) -> Transfer {
        Transfer(request, to: endpoint, options: options, sink: sink)
    }

    private func answer(to transfer: Transfer) async throws(TransportError) -> Response {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                thread.submit(transfer)
            }
        } onCancel: {
            thread.cancel(transfer)
        }
        return try result.get()
    }
}

/// Reads an open exchange; the exchange ends with its last reference.
private final class BodyReader: Sendable {
    private let transfer: Transfer
    private let body: BodyStream
    private let thread: CurlThread

    init(_ transfer: Transfer, _ body: BodyStream, _ thread: CurlThread) {
        self.transfer = transfer
        self.body = body
        self.thread = thread
    }

    deinit { thread.cancel(transfer) }

    func next() async throws(TransportError) -> [UInt8]? {
        let result: Result<[UInt8]?, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                return .success(try await body.next { thread.resume(transfer) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            body.end(TransportError(.cancelled, "the stream was cancelled"))
            thread.cancel(transfer)
        }
        return try result.get()
    }
}
