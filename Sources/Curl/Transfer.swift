import CCurl
import HTTP
import Synchronization

/// One request on its way and its answer.
///
/// Everything but `isCancelled` is touched by the curl thread alone once the transfer has been submitted.
final class Transfer: @unchecked Sendable {
    /// What becomes of the answer's body.
    enum Sink {
        case collect(limit: Int)
        case stream(BodyStream)
    }

    let request: Request
    let endpoint: Endpoint
    let options: CurlTransport.Options
    let sink: Sink
    /// Set before the curl thread is told, so that a transfer that has not been added yet is never started.
    let isCancelled = Atomic(false)

    /// Resumed exactly once: with the answer, with its head alone (for a stream), or with what went wrong.
    var continuation: CheckedContinuation<Result<Response, TransportError>, Never>?
    var handle: EasyHandle?
    /// The request's header list, owned; libcurl reads it until the transfer ends.
    var headerList: UnsafeMutablePointer<curl_slist>?

    private(set) var lastProgress = ContinuousClock.now
    private var head = ResponseHead()
    private var bytes: [UInt8] = []
    private var isTooLarge = false
    private var uploadedBytes = 0

    init(_ request: Request, to endpoint: Endpoint, options: CurlTransport.Options, sink: Sink) {
        self.request = request
        self.endpoint = endpoint
        self.options = options
        self.sink = sink
    }

    /// A line of the answer's head.
    func receiveHeader(_ line: UnsafeRawBufferPointer) {
        lastProgress = .now
        guard head.receive(line) else { return }
        switch sink {
        case .collect(let limit):
            let announced = head.headers["Content-Length"].flatMap(Int.init) ?? 0
            bytes.reserveCapacity(max(0, min(announced, limit)))
        case .stream: answer(.bytes([]))
        }
    }

    /// A piece of the answer's body; the answer to it is what a write callback returns (CURLOPT_WRITEFUNCTION(3)).
    func receiveBody(_ piece: UnsafeRawBufferPointer) -> Int {
        lastProgress = .now
        switch sink {
        case .collect(let limit):
            guard bytes.count + piece.count <= limit else {
                isTooLarge = true
                return 0
            }
            bytes.append(contentsOf: piece)
        case .stream(let stream):
            guard stream.append(piece) else { return Int(CURL_WRITEFUNC_PAUSE) }
        }
        return piece.count
    }

    /// Whether nothing has moved for as long as the options allow. A paused stream waits for its own reader.
    func isStalled(at now: ContinuousClock.Instant) -> Bool {
        guard let limit = options.stallTimeout, let handle else { return false }
        let uploaded = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        if case .stream(let stream) = sink, stream.isPaused { lastProgress = now }
        if uploaded != uploadedBytes { lastProgress = now }
        uploadedBytes = uploaded
        return lastProgress.advanced(by: limit) <= now
    }

    /// libcurl takes a connection that closes within the head for a complete answer (seen with 7.88).
    func succeed() {
        guard head.isComplete else { return fail(TransportError(.interrupted, "the answer's head was cut off")) }
        switch sink {
        case .collect: answer(.bytes(bytes))
        case .stream(let stream): stream.end(nil)
        }
    }

    func fail(_ error: TransportError) {
        let error = isTooLarge ? TransportError(.tooLarge, "the answer is larger than this end accepts") : error
        if case .stream(let stream) = sink { stream.end(error) }
        continuation.take()?.resume(returning: .failure(error))
    }

    /// The reader has made room: from now on the peer's silence counts again.
    func resume() {
        lastProgress = .now
        guard let handle else { return }
        curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
    }

    private func answer(_ body: Body) {
        let response = Response(head.status, headers: head.headers, body: body)
        continuation.take()?.resume(returning: .success(response))
    }
}
