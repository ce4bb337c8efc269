import Glibc

/// Sockets that the service manager opened before the program started: the protocol of sd_listen_fds(3).
package enum ListenSockets {
    /// One socket, listening already. Whoever takes it closes it.
    package struct Inherited: Sendable, Equatable {
        /// Listening or bound as the socket unit says; owned by whoever takes it.
        package let descriptor: Int32
        /// `FileDescriptorName=` of the socket unit, or "unknown".
        package let name: String
    }

    /// The first descriptor that is passed (`SD_LISTEN_FDS_START`).
    package static let firstDescriptor: Int32 = 3

    /// The sockets meant for this process, none where `LISTEN_PID` names another; makes each close on exec, so that no
    /// child keeps the port. Call once, at start.
    package static func inherited(
        environment: [String: String] = ProcessEnvironment.current, process: Int32 = getpid(),
        firstDescriptor: Int32 = ListenSockets.firstDescriptor
    ) throws(PlatformError) -> [Inherited] {
        guard environment["LISTEN_PID"] == String(process) else { return [] }
        guard let count = environment["LISTEN_FDS"].flatMap(Int32.init), (0...1_024).contains(count) else {
            throw PlatformError(code: EINVAL, message: "LISTEN_FDS is not a number of sockets")
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        var sockets: [Inherited] = []
        for index in 0..<count {
            let descriptor = firstDescriptor + index
            try closeOnExec(descriptor)
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            sockets.append(Inherited(descriptor: descriptor, name: name.isEmpty ? "unknown" : name))
        }
        return sockets
    }

    private static func closeOnExec(_ descriptor: Int32) throws(PlatformError) {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw .last("descriptor \(descriptor) of LISTEN_FDS is not open")
        }
    }
}
