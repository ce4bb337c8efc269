import CMicroHTTPD
import HTTP

/// Owns a response of the library until it has been queued.
struct OutgoingResponse: ~Copyable {
    private let pointer: OpaquePointer
    private let status: Status

    /// - Parameter reader: a retained exchange, released here or with the response. `nil`: out of memory.
    init?(_ response: Response, reader: UnsafeMutableRawPointer, loop: ServerLoop, isHead: Bool) {
        let pointer: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            pointer = bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
            releaseReader(reader)
        case .stream:
            pointer = MHD_create_response_from_callback(
                tandem_mhd_size_unknown, 32 << 10, readStream, reader, releaseReader)
            if pointer == nil { releaseReader(reader) }
        }
        guard let pointer else { return nil }
        self.pointer = pointer
        status = response.status
        if isHead, case .stream = response.body {
            // Otherwise libmicrohttpd 0.9.75 sends the end of a chunked body that it never began.
            tandem_mhd_end_with_connection(pointer)
        }
        add(response.headers, log: loop.log)
        if loop.isStopping { MHD_add_response_header(pointer, "Connection", "close") }
    }

    deinit { MHD_destroy_response(pointer) }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        MHD_queue_response(connection, UInt32(clamping: status.code), pointer)
    }

    /// The library writes the fields that frame the message itself.
    private func add(_ headers: Headers, log: (String) -> Void) {
        for field in headers.fields {
            if ["content-length", "transfer-encoding", "date"].contains(field.name.lowercased()) { continue }
            if MHD_add_response_header(pointer, field.name, field.value) != .YES {
                log("an answer's header field \(field.name) cannot be sent and was left out")
            }
        }
    }
}

/// Called by the library on the server's thread (MHD_ContentReaderCallback).
private func readStream(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context else { return tandem_mhd_end_with_error }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// The release of the exchange that `Exchange.answer` retained (MHD_ContentReaderFreeCallback).
private func releaseReader(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Exchange>.fromOpaque(context).release()
}
