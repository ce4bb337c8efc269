@preconcurrency import Dispatch
import Glibc

/// Tells when the machine's links or addresses change, by the kernel's rtnetlink groups (rtnetlink(7)).
package enum NetworkChanges {
    /// `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV6_IFADDR`: Glibc's module does not show the header's constants.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100

    /// `struct sockaddr_nl` (netlink(7)), which Glibc's module does not show either.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var process: UInt32 = 0
        var groups: UInt32 = NetworkChanges.groups
    }

    /// A stream with an element for each change; several at once are one. It ends with its reader. Where the kernel
    /// gives no such socket the stream is empty: whoever reads it has timers as well.
    package static func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0, bind(descriptor) else {
            if descriptor >= 0 { close(descriptor) }
            continuation.finish()
            return stream
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            if drain(descriptor) { continuation.yield() }
        }
        source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in source.cancel() }
        source.activate()
        return stream
    }

    private static func bind(_ descriptor: Int32) -> Bool {
        var address = Address()
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }

    /// Reads what is there; what the messages say does not matter, nor that some were lost (`ENOBUFS`).
    private static func drain(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var isNews = false
        while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS { isNews = true }
        return isNews
    }
}
