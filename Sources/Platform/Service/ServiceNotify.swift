import Glibc

/// Tells the service manager how the service is: the protocol of sd_notify(3), spoken over its datagram socket.
/// Every call does nothing where no manager listens, so programs need not ask.
package struct ServiceNotify: Sendable {
    private let address: UnixSocketAddress?
    /// How often `watchdog` must be called: half of what the unit's `WatchdogSec=` allows; `nil` when nobody watches.
    package let watchdogInterval: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`. A socket that is not a Unix path (as `vsock:` of
    /// virtual machines) is an error, because a unit of type notify would wait for a message that never comes.
    package init(
        environment: [String: String] = ProcessEnvironment.current, process: Int32 = getpid()
    ) throws(PlatformError) {
        watchdogInterval = Self.watchdogInterval(environment, process)
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else {
            address = nil
            return
        }
        guard path.hasPrefix("/") || path.hasPrefix("@") else {
            throw PlatformError(code: EAFNOSUPPORT, message: "NOTIFY_SOCKET is not a Unix socket", path: path)
        }
        address = try UnixSocketAddress(path)
    }

    /// Start-up, or reading the configuration again, is done.
    package func ready(status: String? = nil) throws(PlatformError) {
        try send(["READY=1"] + lines(status))
    }

    /// The configuration is being read again; `ready` must follow. Carries the time that `Type=notify-reload` needs.
    package func reloading() throws(PlatformError) {
        let time = SystemTime.read(CLOCK_MONOTONIC)
        let microseconds = Int64(time.seconds) * 1_000_000 + Int64(time.nanoseconds) / 1_000
        try send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// The service has begun to stop.
    package func stopping(status: String? = nil) throws(PlatformError) {
        try send(["STOPPING=1"] + lines(status))
    }

    /// One line for `systemctl status`.
    package func status(_ text: String) throws(PlatformError) {
        try send(lines(text))
    }

    /// The service is alive. Call only where that was found out, not from a timer that would outlive a hang.
    package func watchdog() throws(PlatformError) {
        try send(["WATCHDOG=1"])
    }

    private func lines(_ status: String?) -> [String] {
        status.map { ["STATUS=" + VisibleText.escape($0)] } ?? []
    }

    private func send(_ lines: [String]) throws(PlatformError) {
        guard let address else { return }
        let socket = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard socket.number >= 0 else { throw .last("cannot open a socket to the service manager") }
        let message = Array(lines.joined(separator: "\n").utf8)
        let number = socket.number
        let sent = address.withSocketAddress { pointer, length in
            sendto(number, message, message.count, Int32(MSG_NOSIGNAL), pointer, length)
        }
        guard sent == message.count else { throw .last("cannot notify the service manager", path: address.path) }
    }

    private static func watchdogInterval(_ environment: [String: String], _ process: Int32) -> Duration? {
        guard let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init), limit > 1 else { return nil }
        if let watched = environment["WATCHDOG_PID"], watched != String(process) { return nil }
        return .microseconds(limit / 2)
    }
}
