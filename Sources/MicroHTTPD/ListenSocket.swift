import CMicroHTTPD
import Glibc

/// A listening socket, closed (and its file removed) by `close`.
struct ListenSocket: Sendable {
    let descriptor: Int32
    /// The TCP port in use.
    let port: UInt16?
    private let file: SocketFile?
    private let inode: UInt?

    init(_ address: ListenAddress) throws(ServerError) {
        switch address {
        case .tcp(let address, let port):
            descriptor = try Self.listen(address: address, port: port)
            file = nil
        case .unix(let path, let group):
            (descriptor, file) = try Self.listen(path: path, group: group)
        case .inherited(let inherited):
            try Self.adopt(inherited)
            descriptor = inherited
            file = nil
        }
        port = Self.port(of: descriptor)
        inode = Self.inode(of: descriptor)
    }

    /// Nobody can connect from here on.
    ///
    /// Where libmicrohttpd does not start it closes the socket after some faults and not after others; by then the
    /// number may be another file's.
    func close() {
        file?.remove()
        if Self.inode(of: descriptor) == inode { Glibc.close(descriptor) }
    }

    private static func adopt(_ descriptor: Int32) throws(ServerError) {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
            throw ServerError(.unusableAddress, systemCall: "descriptor \(descriptor)")
        }
        guard isListening != 0 else {
            throw ServerError(.unusableAddress, "descriptor \(descriptor) is no listening socket")
        }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw ServerError(.unusableAddress, systemCall: "fcntl") }
    }

    private static func listen(address: String, port: UInt16) throws(ServerError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address, String(port), &hints, &found)
        guard code == 0, let found else {
            throw ServerError(.unusableAddress, "\(address): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        let descriptor = try open(found.pointee.ai_family)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        try bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen, "\(address):\(port)")
        return descriptor
    }

    private static func listen(path: String, group: UInt32?) throws(ServerError) -> (Int32, SocketFile) {
        try SocketFile.withAddress(of: path) { address, size throws(ServerError) in
            try SocketFile.removeStale(path, address, size)
            let descriptor = try open(AF_UNIX)
            // The file takes the socket's mode (and the umask): at no time may others connect.
            fchmod(descriptor, 0o600)
            try bind(descriptor, address, size, path)
            let file = SocketFile(path: path)
            if let group, chown(path, uid_t.max, group) != 0 || chmod(path, 0o660) != 0 {
                let error = ServerError(.unusableAddress, systemCall: "\(path): group \(group)")
                file.remove()
                Glibc.close(descriptor)
                throw error
            }
            return (descriptor, file)
        }
    }

    private static func open(_ family: Int32) throws(ServerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw ServerError(.refused, systemCall: "socket") }
        return descriptor
    }

    /// Closes the descriptor where it throws.
    private static func bind(
        _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t, _ name: String
    ) throws(ServerError) {
        guard Glibc.bind(descriptor, address, size) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            let error = ServerError(.unusableAddress, systemCall: name)
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func inode(of descriptor: Int32) -> UInt? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : nil
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, address, &size) == 0
            else { return nil }
            return switch Int32(address.pointee.sa_family) {
            case AF_INET: UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
            case AF_INET6: UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port)
            default: nil
            }
        }
    }
}
