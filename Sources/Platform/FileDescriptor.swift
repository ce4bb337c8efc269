import Glibc

/// Owner of one open file descriptor: closes it when its life ends, on whichever thread that happens (close(2)).
package struct FileDescriptor: ~Copyable, Sendable {
    /// For system calls made while the owner lives.
    package let number: Int32

    /// Takes over a descriptor that nobody else will close.
    package init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file, always with `O_CLOEXEC`.
    package init(opening path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(PlatformError) {
        let number = open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last("cannot open", path: path) }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Writes all of the bytes, over as many write(2) calls as that takes.
    package borrowing func write(_ bytes: [UInt8], path: String? = nil) throws(PlatformError) {
        guard Output.write(bytes, to: number) else { throw .last("cannot write", path: path) }
    }

    /// Reads to the end of the file, or `maximumBytes` of it; more than that is the error `EFBIG`.
    package borrowing func readToEnd(maximumBytes: Int, path: String? = nil) throws(PlatformError) -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(number, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last("cannot read", path: path) }
            guard count > 0 else { return result }
            guard result.count + count <= maximumBytes else {
                throw PlatformError(code: EFBIG, message: "has more than \(maximumBytes) bytes", path: path)
            }
            result += chunk[..<count]
        }
    }

    /// Reads the next bytes, at most this many; none at the end of the file. Blocks until there are some.
    package borrowing func read(maximumBytes: Int, path: String? = nil) throws(PlatformError) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumBytes) { buffer, used in
            repeat { count = Glibc.read(number, buffer.baseAddress, maximumBytes) } while count < 0 && errno == EINTR
            used = max(0, count)
        }
        guard count >= 0 else { throw .last("cannot read", path: path) }
        return bytes
    }

    /// How many bytes a regular file has; `nil` for a pipe or a device, which do not say.
    package var size: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Returns when the file's bytes are on the disk (fsync(2)); blocks for milliseconds.
    package borrowing func synchronize(path: String? = nil) throws(PlatformError) {
        guard fsync(number) == 0 else { throw .last("cannot flush to disk", path: path) }
    }
}
