import Glibc

/// Exclusive use of a store, held from `init` to the end of the object's life. The kernel drops it with the process,
/// however that ends (flock(2)), so no stale lock is ever left.
///
/// The lock file stays when the lock is released: removing it would let two processes hold "the" lock on two files.
package final class FileLock: Sendable {
    package let path: String
    private let file: FileDescriptor

    /// Takes the lock without waiting. Refused with code `EWOULDBLOCK` and a message that names the holder.
    /// - Parameter program: written beside the process id, for the message that a second process gets.
    package init(path: String, program: String) throws(PlatformError) {
        self.path = path
        file = try FileDescriptor(opening: path, O_RDWR | O_CREAT)
        guard Self.lock(file.number) else {
            guard errno == EWOULDBLOCK else { throw .last("cannot lock", path: path) }
            throw PlatformError(
                code: EWOULDBLOCK, message: "is in use by \(Self.holder(at: path) ?? "another process")", path: path)
        }
        try Self.writeHolder(program, to: file, path: path)
    }

    /// Unlocks, which closing the file alone does not do at once: a child that is just being started has the descriptor
    /// too until its program runs (`FD_CLOEXEC`), and the lock is the open file's.
    deinit { flock(file.number, LOCK_UN) }

    /// Who wrote itself into a lock file, as "tandemd (process 123)"; only a holder of the lock is surely alive.
    package static func holder(at path: String) -> String? {
        // A file that cannot be read, or has no line yet, only costs the name in a message.
        guard let bytes = try? Files.read(path, maximumBytes: 4_096) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let process = Int32(words[0]) else { return nil }
        return "\(VisibleText.escape(String(words[1]))) (process \(process))"
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    private static func writeHolder(
        _ program: String, to file: borrowing FileDescriptor, path: String
    ) throws(PlatformError) {
        guard ftruncate(file.number, 0) == 0 else { throw .last("cannot write", path: path) }
        try file.write(Array("\(getpid()) \(program)\n".utf8), path: path)
    }
}
