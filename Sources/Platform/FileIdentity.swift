import Glibc

/// Which file a path leads to, regardless of what it holds. A program that has a file open goes on with it when it is
/// deleted, or another is put in its place; the path tells.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// The file at a path, symbolic links followed; `nil` where none can be found there. One system call.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
