import CMicroHTTPD
import Glibc

/// Starts the library with the loop as the context of every callback. The loop outlives the daemon.
func startDaemon(for loop: ServerLoop, listening descriptor: Int32) -> OpaquePointer? {
    let configuration = loop.configuration
    var callbacks = tandem_mhd_callbacks(
        context: Unmanaged.passUnretained(loop).toOpaque(), access: access, target: begin, completed: complete,
        connection: connect, log: log)
    let (seconds, attoseconds) = configuration.idleTimeout.components
    var limits = tandem_mhd_limits(
        memory: configuration.maximumHeaderBytes, connections: UInt32(clamping: configuration.maximumConnections),
        connections_per_address: UInt32(clamping: configuration.maximumConnectionsPerAddress ?? 0),
        timeout_seconds: UInt32(clamping: seconds + (attoseconds > 0 ? 1 : 0)))
    guard let tls = configuration.tls else { return tandem_mhd_start(descriptor, &callbacks, &limits, nil, nil) }
    // The texts are read while the daemon starts (MHD_OPTION_HTTPS_MEM_KEY).
    return tandem_mhd_start(descriptor, &callbacks, &limits, tls.certificate, tls.key)
}

// All of these are called by the library on the server's thread, from within MHD_run and MHD_stop_daemon.

private func loop(_ context: UnsafeMutableRawPointer) -> ServerLoop {
    Unmanaged<ServerLoop>.fromOpaque(context).takeUnretainedValue()
}

/// A connection has been accepted or is about to be closed (MHD_NotifyConnectionCallback).
private func connect(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let context, let connection, let socketContext else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        let client = Connection(descriptor: tandem_mhd_descriptor(connection))
        socketContext.pointee = Unmanaged.passRetained(client).toOpaque()  // released when the connection closes
        loop(context).opened(client)
    } else if let client = socketContext.pointee {
        loop(context).closed(Unmanaged<Connection>.fromOpaque(client).takeRetainedValue())
        socketContext.pointee = nil
    }
}

/// A request line has arrived (LogCallback): its target as the client wrote it. The result is the request's context.
private func begin(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let connection, let client = tandem_mhd_socket_context(connection) else { return nil }
    let exchange = Exchange(
        target: target.map { String(cString: $0) } ?? "", connection: connection,
        client: Unmanaged<Connection>.fromOpaque(client).takeUnretainedValue(), loop: loop(context))
    loop(context).began(exchange)
    return Unmanaged.passRetained(exchange).toOpaque()  // released when the request is completed
}

/// A request's headers, a piece of its body, or its end (MHD_AccessHandlerCallback).
private func access(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let exchange = request?.pointee, let method, let size else { return .NO }
    let bytes = size.pointee == 0 ? nil : UnsafeRawBufferPointer(start: piece, count: size.pointee)
    size.pointee = 0
    return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
        .advance(method: String(cString: method), piece: bytes)
}

/// A request is over, answered or not (MHD_RequestCompletedCallback).
private func complete(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context, let exchange = request?.pointee else { return }
    request?.pointee = nil
    loop(context).completed(Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
}

/// The library has something to say (MHD_OPTION_EXTERNAL_LOGGER).
private func log(_ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?) {
    guard let context, let format, let arguments else { return }
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
        guard let text = buffer.baseAddress else { return "" }
        vsnprintf(text, buffer.count, format, arguments)
        return String(cString: text)
    }
    loop(context).log(message.last?.isNewline == true ? String(message.dropLast()) : message)
}
