import CMicroHTTPD
import Glibc
import HTTP
import Platform

/// The server's thread: it runs the library, wakes suspended requests when their handlers answer, and notices clients
/// that leave.
///
/// The library is run from here ("external" mode) and not on a thread of its own, for two reasons: every call to it
/// then comes from one thread, and a suspended connection is in no event set of the library, so that nobody would see
/// its client leave. Here each connection is watched for that, once, at no cost to a request.
final class ServerLoop: @unchecked Sendable {
    let configuration: ServerConfiguration
    let handler: any Handler
    let mailbox: Mailbox
    private(set) var isStopping = false
    /// The library says in words only why it does not start.
    private(set) var lastMessage = ""

    private let socket: ListenSocket
    private let epoll: Int32
    private var daemon: OpaquePointer?
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var deadline = ContinuousClock.now
    private var bodyBytes = 0

    init(_ configuration: ServerConfiguration, _ handler: any Handler, _ socket: ListenSocket) throws(ServerError) {
        self.configuration = configuration
        self.handler = handler
        self.socket = socket
        mailbox = try Mailbox()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw ServerError(.refused, systemCall: "epoll_create1") }
        daemon = try startLibrary()
    }

    deinit {
        if let daemon {  // it never ran; the socket is its maker's
            MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
        }
        close(epoll)
    }

    func refuse(_ refusal: Refusal) -> Response { configuration.refuse(refusal) }

    func log(_ message: String) {
        lastMessage = message
        configuration.log(message)
    }

    /// Takes room for bodies, if there is some left.
    func reserve(bodyBytes bytes: Int) -> Bool {
        guard bodyBytes + bytes <= configuration.maximumBodiesBytes else { return false }
        bodyBytes += bytes
        return true
    }

    func release(bodyBytes bytes: Int) { bodyBytes -= bytes }

    // MARK: Who is connected

    func opened(_ connection: Connection) {
        watch(connection.descriptor, EPOLLRDHUP.rawValue | EPOLLET.rawValue, connection)
    }

    func closed(_ connection: Connection) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, connection.descriptor, nil)
    }

    func began(_ exchange: Exchange) {
        exchanges[ObjectIdentifier(exchange)] = exchange
    }

    func completed(_ exchange: Exchange) {
        exchanges[ObjectIdentifier(exchange)] = nil
        exchange.complete()
    }

    // MARK: The thread

    /// Runs until the server has been told to stop and its requests are done or its deadline has passed.
    func run() {
        tandem_mhd_name_thread("http")
        while let daemon, !isDone {
            wait()
            for message in mailbox.take() { handle(message) }
            MHD_run(daemon)
        }
        finish()
    }

    private var isDone: Bool {
        guard isStopping else { return false }
        return !exchanges.values.contains(where: \.isBounded) || deadline <= .now
    }

    private func wait() {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout())
            for event in events.prefix(Int(max(0, count))) {
                guard let context = event.data.ptr else { continue }
                let left = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
                Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().clientLeft(entirely: left)
            }
        }
    }

    /// Milliseconds until the library or the deadline needs the thread; -1: nothing does.
    private func timeout() -> Int32 {
        var milliseconds: UInt64 = 0
        var timeout: Int32 = -1
        if MHD_get_timeout(daemon, &milliseconds) == .YES { timeout = Int32(clamping: milliseconds) }
        guard isStopping else { return timeout }
        let left = Int32(clamping: max(0, ContinuousClock.now.duration(to: deadline).milliseconds + 1))
        return timeout < 0 ? left : min(timeout, left)
    }

    private func handle(_ message: Mailbox.Message) {
        switch message {
        case .response(let exchange, let response): exchange.take(response)
        case .chunk(let exchange, let chunk, let taken): exchange.take(chunk, taken)
        case .endOfStream(let exchange, let isComplete): exchange.endStream(isComplete: isComplete)
        case .stop(let duration): stop(within: duration)
        }
    }

    /// Takes no more clients, cuts the streams off and gives the other requests their time.
    private func stop(within duration: Duration) {
        let deadline = ContinuousClock.now.advanced(by: duration)
        self.deadline = isStopping ? min(self.deadline, deadline) : deadline
        guard !isStopping else { return }
        isStopping = true
        MHD_quiesce_daemon(daemon)
        socket.close()
        for exchange in exchanges.values where !exchange.isBounded { exchange.abandon() }
    }

    /// The library must not be stopped while a connection is suspended (MHD_stop_daemon): they are all resumed first,
    /// and nothing runs in between that could suspend one again.
    private func finish() {
        for exchange in exchanges.values { exchange.abandon() }
        MHD_stop_daemon(daemon)
        daemon = nil
        mailbox.close()
    }

    // MARK: Start

    private func startLibrary() throws(ServerError) -> OpaquePointer {
        guard let daemon = startDaemon(for: self, listening: socket.descriptor) else {
            throw ServerError(.refused, lastMessage.isEmpty ? "libmicrohttpd did not start" : lastMessage)
        }
        watch(tandem_mhd_epoll_descriptor(daemon), EPOLLIN.rawValue, nil)
        watch(mailbox.descriptor, EPOLLIN.rawValue, nil)
        return daemon
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, _ connection: Connection?) {
        var event = epoll_event()
        event.events = events
        event.data.ptr = connection.map { Unmanaged.passUnretained($0).toOpaque() }  // valid until `closed`
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }
}
