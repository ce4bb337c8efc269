import Glibc

/// Unbuffered output to a descriptor; for standard error, where the buffering of stdio would reorder lines.
package enum Output {
    /// Writes everything or returns `false` with `errno` set. Blocks while the reader is slow.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// A message that nobody can be told about when it cannot be written.
    package static func standardError(_ text: String) {
        write(Array(text.utf8), to: STDERR_FILENO)
    }
}
