import Dispatch
import Glibc

/// A plain TCP socket, to say what no HTTP library would. Reads give up after ten seconds.
struct RawSocket: Sendable {
    private static let queue = DispatchQueue(label: "raw sockets", attributes: .concurrent)

    private let descriptor: Int32

    struct Failure: Error { let call: String }

    static func connected(toPort port: UInt16) throws -> RawSocket {
        let socket = try RawSocket()
        let code = withAddress(port: port) { connect(socket.descriptor, $0, $1) }
        guard code == 0 else { throw Failure(call: "connect") }
        return socket
    }

    /// A listening socket and its port.
    static func listening() throws -> (RawSocket, port: UInt16) {
        let socket = try RawSocket()
        guard withAddress(port: 0, { bind(socket.descriptor, $0, $1) }) == 0, listen(socket.descriptor, 8) == 0 else {
            throw Failure(call: "bind")
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket.descriptor, $0, &size) }
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private init() throws {
        self.init(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// For a server that takes over a listening socket.
    var inherited: Int32 { dup(descriptor) }

    func accepted() async -> RawSocket {
        await onQueue { RawSocket(descriptor: accept(descriptor, nil, nil)) }
    }

    func send(_ text: String) async {
        await onQueue {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// What comes until the text contains `end`, or until the other side closes.
    func receive(until end: String? = nil) async -> String {
        await onQueue {
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 65536)
            while end.map({ !text.contains($0) }) ?? true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            return text
        }
    }

    func close() { Glibc.close(descriptor) }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: body()) }
        }
    }

    private static func withAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
