import Glibc

/// A call to the operating system that failed: what was tried, on which path, and the kernel's reason.
package struct PlatformError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The `errno` of the call; 0 where the kernel was not the one that refused.
    package let code: Int32
    /// What was tried, in the form "cannot open".
    package let message: String
    package let path: String?

    package init(code: Int32 = 0, message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The failure of the system call that has just returned; reads `errno`, so nothing may come between.
    static func last(_ message: String, path: String? = nil) -> PlatformError {
        PlatformError(code: errno, message: message, path: path)
    }

    /// One line: path, what was tried, the reason in the words of strerror(3). A lock that another process holds needs
    /// no such words: "Resource temporarily unavailable" would only hide who holds it.
    package var description: String {
        let reason = code == 0 || code == EWOULDBLOCK ? nil : Self.text(of: code)
        return [path.map(VisibleText.escape), message, reason].compactMap { $0 }.joined(separator: ": ")
    }

    /// The text of an `errno` value (strerror(3)).
    package static func text(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
