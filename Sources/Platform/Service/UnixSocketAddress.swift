package import Glibc

/// The address of a Unix socket (unix(7)): a path, or with a leading `@` a name in the abstract namespace.
package struct UnixSocketAddress: Sendable {
    /// The longest path in bytes: `sun_path` has 108, one of them the closing zero.
    package static let maximumPathBytes = 107

    package let path: String
    private let name: [UInt8]

    /// Refuses a name that does not fit, which the kernel would only do with a bare `EINVAL`.
    package init(_ path: String) throws(PlatformError) {
        var name = Array(path.utf8)
        guard !name.isEmpty, !name.contains(0) else {
            throw PlatformError(code: EINVAL, message: "is not a socket path", path: path)
        }
        guard name.count <= Self.maximumPathBytes else {
            throw PlatformError(
                code: ENAMETOOLONG,
                message: "has \(name.count) bytes, and a Unix socket path at most \(Self.maximumPathBytes); "
                    + "choose a shorter one with --socket or TANDEM_SOCKET", path: path)
        }
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        self.path = path
        self.name = name
    }

    /// Lends the address to a system call.
    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let isAbstract = name[0] == 0
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + name.count + (isAbstract ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
