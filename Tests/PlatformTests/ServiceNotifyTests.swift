import Glibc
import Platform
import TestSupport
import Testing

@Suite("ServiceNotify")
struct ServiceNotifyTests {
    @Test func messagesArriveAsTheProtocolSpellsThem() async throws {
        try await withTemporaryDirectory { directory in
            try expectMessages(at: directory + "/notify")
        }
    }

    @Test func abstractSocketWorksToo() throws {
        try expectMessages(at: "@tandem-test-\(getpid())-\(SystemRandom().next())")
    }

    private func expectMessages(at path: String) throws {
        let manager = try Manager(path)
        let notify = try ServiceNotify(environment: ["NOTIFY_SOCKET": path])
        try notify.ready(status: "two lists\nX=1")
        #expect(manager.message() == "READY=1\nSTATUS=two lists\\nX=1")
        try notify.reloading()
        let reload = manager.message().split(separator: "\n")
        #expect(reload.first == "RELOADING=1")
        #expect(reload.last?.wholeMatch(of: /MONOTONIC_USEC=[1-9][0-9]+/) != nil)
        try notify.status("idle")
        #expect(manager.message() == "STATUS=idle")
        try notify.watchdog()
        #expect(manager.message() == "WATCHDOG=1")
        try notify.stopping()
        #expect(manager.message() == "STOPPING=1")
    }

    @Test func nothingIsSentWhereNoManagerListens() throws {
        let notify = try ServiceNotify(environment: [:])
        try notify.ready()
        try notify.watchdog()
        #expect(notify.watchdogInterval == nil)
    }

    @Test func vanishedManagerIsAnError() throws {
        let notify = try ServiceNotify(environment: ["NOTIFY_SOCKET": "/no/such/socket"])
        let error = try #require(throws: PlatformError.self) { try notify.ready() }
        #expect(error.code == ENOENT)
    }

    @Test func socketOfAnotherFamilyIsAnError() {
        #expect(throws: PlatformError.self) { try ServiceNotify(environment: ["NOTIFY_SOCKET": "vsock:2:1234"]) }
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "20000000"], Duration.seconds(10)),
            (["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "77"], .seconds(10)),
            (["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "78"], nil),
            (["WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Duration?)])
    func watchdogIsFedAtHalfItsLimit(environment: [String: String], interval: Duration?) throws {
        #expect(try ServiceNotify(environment: environment, process: 77).watchdogInterval == interval)
    }
}

/// A service manager's end of the notification socket.
private struct Manager: ~Copyable {
    private let socket: FileDescriptor

    init(_ path: String) throws {
        socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        let number = socket.number
        let code = try UnixSocketAddress(path).withSocketAddress { bind(number, $0, $1) }
        try #require(code == 0)
    }

    /// The next datagram, which has been sent already.
    func message() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

@Suite("ListenSockets")
struct ListenSocketsTests {
    @Test func socketsComeWithTheirNamesAndCloseOnExec() throws {
        let (first, second) = try adjacentDescriptors()
        let sockets = try ListenSockets.inherited(
            environment: ["LISTEN_PID": "5", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "api:"], process: 5,
            firstDescriptor: first)
        #expect(sockets.map(\.name) == ["api", "unknown"])
        #expect(sockets.map(\.descriptor) == [first, second])
        #expect(fcntl(first, F_GETFD) & FD_CLOEXEC != 0)
        close(first)
        close(second)
    }

    @Test func socketsOfAnotherProcessAreNotTaken() throws {
        #expect(try ListenSockets.inherited(environment: ["LISTEN_PID": "6", "LISTEN_FDS": "1"], process: 5).isEmpty)
        #expect(try ListenSockets.inherited(environment: [:], process: 5).isEmpty)
    }

    @Test func descriptorThatIsNotOpenIsAnError() {
        #expect(throws: PlatformError.self) {
            try ListenSockets.inherited(
                environment: ["LISTEN_PID": "5", "LISTEN_FDS": "1"], process: 5, firstDescriptor: 60_000)
        }
    }

    @Test(arguments: ["", "many", "-1", "100000"])
    func countThatIsNoCountIsAnError(count: String) {
        #expect(throws: PlatformError.self) {
            try ListenSockets.inherited(environment: ["LISTEN_PID": "5", "LISTEN_FDS": count], process: 5)
        }
    }

    /// Two descriptors in a row, far above those that other tests get.
    private func adjacentDescriptors() throws -> (Int32, Int32) {
        let source = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(source) }
        let first = fcntl(source, F_DUPFD, 700)
        let second = fcntl(source, F_DUPFD, first + 1)
        try #require(first >= 700 && second == first + 1)
        return (first, second)
    }
}

@Suite("UnixSocketAddress")
struct UnixSocketAddressTests {
    @Test func pathOf107BytesFitsAndOneMoreDoesNot() throws {
        let path = "/" + String(repeating: "a", count: 106)
        _ = try UnixSocketAddress(path)
        let error = try #require(throws: PlatformError.self) { try UnixSocketAddress(path + "b") }
        #expect(error.code == ENAMETOOLONG)
        #expect(error.description.contains("has 108 bytes"))
        #expect(error.description.contains("TANDEM_SOCKET"))
    }

    @Test(arguments: ["", "/a\0b"])
    func pathThatIsNoneIsRefused(path: String) {
        #expect(throws: PlatformError.self) { try UnixSocketAddress(path) }
    }
}
