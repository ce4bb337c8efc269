import CMicroHTTPD
import Glibc
import HTTP

extension Peer {
    /// Who is connected to a socket: credentials as they were at connect(2) for Unix sockets (unix(7), `SO_PEERCRED`),
    /// otherwise the network address.
    init(socket descriptor: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        self = withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getpeername(descriptor, address, &size) == 0
            else { return .network(address: "") }
            if Int32(address.pointee.sa_family) == AF_UNIX { return Self.credentials(of: descriptor) }
            return .network(address: Self.text(of: address, size))
        }
    }

    /// A user that cannot be told is nobody (65534): never one that a check lets through.
    private static func credentials(of descriptor: Int32) -> Peer {
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 65534, 65534)  // struct ucred
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
            return .local(user: 65534, group: 65534, process: 0)
        }
        return .local(user: credentials.user, group: credentials.group, process: credentials.process)
    }

    private static func text(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            guard let text = buffer.baseAddress,
                getnameinfo(address, size, text, socklen_t(NI_MAXHOST), nil, 0, NI_NUMERICHOST) == 0
            else { return "" }
            let name = String(cString: text)
            return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
        }
    }
}
