import CMicroHTTPD
import Glibc

/// The file of a Unix socket that this process listens on.
struct SocketFile: Sendable {
    private let path: String
    private let device: UInt
    private let inode: UInt

    /// A file that is there.
    init(path: String) {
        let status = Self.status(of: path)
        self.path = path
        device = status.map { UInt($0.st_dev) } ?? 0
        inode = status.map { UInt($0.st_ino) } ?? 0
    }

    /// Unless a later server has put its own in its place.
    func remove() {
        guard let status = Self.status(of: path), UInt(status.st_dev) == device, UInt(status.st_ino) == inode
        else { return }
        unlink(path)
    }

    /// Removes a socket on which nobody answers; leaves a file of any other kind alone, so that binding fails.
    static func removeStale(
        _ path: String, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
    ) throws(ServerError) {
        guard let status = status(of: path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ServerError(.unusableAddress, "\(path): a file that is no socket is in the way")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw ServerError(.refused, systemCall: "socket") }
        defer { close(probe) }
        // A full queue (EAGAIN) or a missing permission is an answer too: only a refusal means that nobody listens.
        guard connect(probe, address, size) != 0, errno == ECONNREFUSED else {
            throw ServerError(.addressInUse, "\(path): another server answers there")
        }
        unlink(path)
    }

    static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(ServerError) -> Result
    ) throws(ServerError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), !path.utf8.contains(0) else {
            throw ServerError(.unusableAddress, "\(path): too long for a socket's path")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return try withUnsafePointer(to: &address) { pointer throws(ServerError) in
            let generic = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return try body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
