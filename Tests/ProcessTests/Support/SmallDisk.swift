import Glibc
import Platform
import TestSupport
import Testing

/// A file system in memory, which a test can fill.
struct SmallDisk {
    let path: String

    /// Mounting is for root, and not for root in every container.
    static let isPossible: Bool = {
        let path = "/tmp/tandem-mount-\(getpid())"
        guard geteuid() == 0, mkdir(path, 0o700) == 0 else { return false }
        defer { rmdir(path) }
        guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else { return false }
        return umount2(path, 0) == 0
    }()

    /// Runs a body with a file system of its own at a path.
    static func with(
        at path: String, megabytes: Int, isolation: isolated (any Actor)? = #isolation,
        _ body: (SmallDisk) async throws -> Void
    ) async throws {
        try Files.createDirectory(path)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=0700") == 0 else {
            throw PlatformError(code: errno, message: "cannot mount", path: path)
        }
        // At once, and for processes that still use it when they end.
        defer { umount2(path, Int32(MNT_DETACH)) }
        try await body(SmallDisk(path: path))
    }

    func remount(_ mode: String) async throws {
        let isReadOnly = mode == "ro"
        try await eventually("the disk becomes \(mode)") {
            mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0), nil) == 0
        }
    }

    /// Takes all room that is left.
    func fill() throws {
        let file = try FileDescriptor(opening: filler, O_WRONLY | O_CREAT | O_APPEND)
        for size in [65_536, 4_096] {
            let block = [UInt8](repeating: 0, count: size)
            while Glibc.write(file.number, block, size) == size {}
        }
    }

    /// Gives the room back.
    func clear() throws { try Files.remove(filler) }

    private var filler: String { path + "/filler" }
}
