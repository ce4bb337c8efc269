import CMicroHTTPD
import HTTP

/// One request and its answer.
///
/// All of it happens on the server's thread; the handler's task only posts to the loop. The library keeps one
/// reference, from the request's first line to its completion.
final class Exchange: @unchecked Sendable {
    private enum State {
        /// The body is arriving.
        case receiving
        /// The body is not taken and is thrown away.
        case discarding(Refusal)
        /// The connection is suspended while the handler works.
        case waiting
        /// The connection has been resumed to take the answer.
        case answered(Response)
        /// The answer is on its way.
        case sending
        /// No answer will go out: the connection is to be closed, or has been.
        case over
    }

    let target: String
    let connection: OpaquePointer
    private let client: Connection
    private unowned let loop: ServerLoop
    private var state = State.receiving
    private var hasBegun = false
    private var isHead = false
    private var body: [UInt8] = []
    private var discardedBytes = 0
    /// What of the body counts against the room that all bodies have.
    private var reservedBytes = 0
    private var task: Task<Void, Never>?
    private var isSuspended = false
    private var stream = OutgoingStream()

    init(target: String, connection: OpaquePointer, client: Connection, loop: ServerLoop) {
        self.target = target
        self.connection = connection
        self.client = client
        self.loop = loop
        client.exchange = self
    }

    /// Whether its answer has an end of its own: a stopping server waits for it.
    var isBounded: Bool { !stream.isOpen }

    // MARK: The library's calls

    /// The access handler (MHD_AccessHandlerCallback): first with the headers, then with pieces of the body, then
    /// without a piece at the body's end and again whenever the connection has been resumed.
    func advance(method: String, piece: UnsafeRawBufferPointer?) -> MHD_Result {
        if !hasBegun {
            hasBegun = true
            return begin()
        }
        if let piece { return receive(piece) }
        switch state {
        case .receiving: return ask(method: method)
        case .discarding(let refusal): return answer(loop.refuse(refusal))
        case .answered(let response): return answer(response)
        case .waiting, .sending: return .YES
        case .over: return .NO
        }
    }

    /// The content reader (MHD_ContentReaderCallback): suspends the connection while there is nothing to send.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch stream.read(into: buffer) {
        case .bytes(let count): return count
        case .end: return tandem_mhd_end_of_stream
        case .failure: return tandem_mhd_end_with_error
        case .nothingYet:
            suspend()
            return 0
        }
    }

    /// The library is done with the request, for better or worse.
    func complete() {
        state = .over
        isSuspended = false
        if client.exchange === self { client.exchange = nil }
        loop.release(bodyBytes: reservedBytes)
        reservedBytes = 0
        letGo()
    }

    // MARK: The loop's calls

    func take(_ response: Response) {
        guard case .waiting = state else { return letGo() }
        var response = response
        if case .stream = response.body {
            if loop.isStopping {
                letGo()
                response = loop.refuse(.stopping)
            } else {
                stream.open()
            }
        }
        state = .answered(response)
        resume()
    }

    /// - Parameter taken: resumed with `true` once the library has taken the chunk and the next may come, with `false`
    ///   where no more will be taken.
    func take(_ chunk: [UInt8], _ taken: CheckedContinuation<Bool, Never>) {
        stream.take(chunk, taken)
        resume()
    }

    func endStream(isComplete: Bool) {
        stream.end(isComplete: isComplete)
        resume()
    }

    /// The client has closed its end. A client that has closed only its sending half may still read a whole answer;
    /// like other servers, this one takes it for gone and cancels, and still sends what the handler then answers.
    func clientLeft(entirely: Bool) {
        task?.cancel()
        if stream.isOpen || entirely { abandon() }
    }

    /// Cuts the answer off: a stream that ends early must not look complete.
    func abandon() {
        if case .waiting = state { state = .over }
        letGo()
        resume()
    }

    // MARK: Steps

    private func begin() -> MHD_Result {
        // Which of the two holds, a proxy in between may see otherwise (RFC 9112, section 6.3).
        guard header("Content-Length") == nil || header("Transfer-Encoding") == nil else {
            return answer(loop.refuse(.ambiguousLength))
        }
        let announced = header("Content-Length").flatMap(UInt64.init) ?? 0
        guard announced > UInt64(loop.configuration.maximumBodyBytes) else {
            body.reserveCapacity(min(Int(announced), 64 << 10))
            return .YES
        }
        state = .discarding(tooLarge)
        let waitsForLeave = header("Expect") != nil
        guard waitsForLeave || announced > UInt64(loop.configuration.maximumDiscardedBytes) else { return .YES }
        return answer(loop.refuse(tooLarge))
    }

    private var tooLarge: Refusal { .bodyTooLarge(maximumBytes: loop.configuration.maximumBodyBytes) }

    private func receive(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
        if case .receiving = state, let refusal = refusal(of: piece.count) {
            state = .discarding(refusal)
            discardedBytes = body.count
            body = []
            loop.release(bodyBytes: reservedBytes)
            reservedBytes = 0
        }
        guard case .discarding = state else {
            body.append(contentsOf: piece)
            return .YES
        }
        discardedBytes += piece.count
        return discardedBytes > loop.configuration.maximumDiscardedBytes ? .NO : .YES
    }

    /// Why no more bytes of the body are taken, if they are not. Who a client is shows only later: without a bound for all
    /// bodies together, anyone could fill the memory by sending many and ending none. Short ones are always taken.
    private func refusal(of bytes: Int) -> Refusal? {
        guard body.count + bytes <= loop.configuration.maximumBodyBytes else { return tooLarge }
        let asked = max(0, body.count + bytes - (64 << 10)) - reservedBytes
        guard loop.reserve(bodyBytes: asked) else { return .busy }
        reservedBytes += asked
        return nil
    }

    /// Hands the request to the handler and holds no thread until its answer is there.
    private func ask(method: String) -> MHD_Result {
        guard let method = Method(rawValue: method) else { return answer(loop.refuse(.methodNotAllowed)) }
        isHead = method == .head
        guard let target = RequestTarget(target) else { return answer(loop.refuse(.malformedTarget)) }
        let request = Request(
            method, target.path, query: target.query, headers: headers(), body: body, peer: client.peer)
        body = []
        state = .waiting
        suspend()
        // Ends with the handler's answer and its stream; cancelled when the exchange is completed or abandoned.
        task = Task { [self, handler = loop.handler, mailbox = loop.mailbox] in
            await Self.run(request, handler, mailbox, self)
        }
        if client.hasLeft { task?.cancel() }
        return .YES
    }

    private func answer(_ response: Response) -> MHD_Result {
        state = .sending
        let retained = Unmanaged.passRetained(self)  // released when the library frees the response
        guard let outgoing = OutgoingResponse(response, reader: retained.toOpaque(), loop: loop, isHead: isHead)
        else { return .NO }
        return outgoing.queue(on: connection)
    }

    private func letGo() {
        task?.cancel()
        stream.fail()
    }

    private func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        MHD_suspend_connection(connection)
    }

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(connection)
    }
}
