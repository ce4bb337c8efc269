import Glibc

/// Why a server could not start.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Someone else listens there.
        case addressInUse
        /// The address, the path or the descriptor cannot be listened on.
        case unusableAddress
        /// The system or the library refused: memory, descriptors, an unusable certificate.
        case refused
    }

    package let code: Code
    /// The system's or the library's own message.
    package let message: String

    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A system call's failure, from `errno`.
    init(_ code: Code, systemCall: String) {
        let number = errno
        self.init(number == EADDRINUSE ? .addressInUse : code, "\(systemCall): \(String(cString: strerror(number)))")
    }
}
