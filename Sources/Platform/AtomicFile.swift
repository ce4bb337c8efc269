import Glibc

/// A file that is written piece by piece and takes its name only when it is complete: until then, and for ever where
/// that fails, the path holds what it held before. What is no regular file (a device, a pipe) is written to directly.
/// Every call blocks.
package struct AtomicFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    /// `nil` where the path itself is written to, and after the end.
    private var temporary: String?

    /// Begins a file; one that is new gets the mode that the process's umask leaves of `mode`.
    package init(replacing path: String, mode: UInt32 = 0o666) throws(PlatformError) {
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        let target = isSpecial ? path : try Files.absolute(path)
        let temporary = isSpecial ? nil : target + "." + String(UInt64.random(in: 0 ... .max), radix: 36)
        let flags = isSpecial ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL
        file = try FileDescriptor(opening: temporary ?? target, flags, mode: mode)
        self.path = target
        self.temporary = temporary
    }

    deinit {
        if let temporary { unlink(temporary) }
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(PlatformError) { try file.write(bytes, path: path) }

    /// Puts the file in its place; after return it survives a power cut.
    package mutating func finish() throws(PlatformError) {
        guard let temporary else { return }
        try file.synchronize(path: path)
        try Files.move(temporary, to: path)
        self.temporary = nil
    }
}
