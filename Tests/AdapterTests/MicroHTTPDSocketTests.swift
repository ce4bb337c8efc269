import Curl
import Foundation
import Glibc
import HTTP
import MicroHTTPD
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MicroHTTPDSocketTests {
    @Test func unixSocketTellsWhoCalls() async throws {
        try await HTTPFixture.with(.unix) { request in
            #expect(request.peer == .local(user: getuid(), group: getgid(), process: getpid()))
            return Response(.ok)
        } body: { fixture async throws in
            #expect(try await fixture.transport().send(Request(.get, [])).status == .ok)
        }
    }

    @Test func networkPeerIsItsAddress() async throws {
        try await HTTPFixture.with(.tcp) { request in
            #expect(request.peer == .network(address: "127.0.0.1"))
            return Response(.ok)
        } body: { fixture async throws in
            #expect(try await fixture.transport().send(Request(.get, [])).status == .ok)
        }
    }

    @Test func socketFileBelongsToItsOwnerAlone() async throws {
        try await HTTPFixture.with(.unix) { _ in
            Response(.ok)
        } body: { fixture async throws in
            #expect(try mode(fixture.directory + "/s") == 0o600)
        }
    }

    @Test func groupMayConnectWhereOneIsGiven() async throws {
        let directory = try HTTPFixture.temporaryDirectory()
        let server = try Server(
            configuration: ServerConfiguration(listen: .unix(path: directory + "/s", group: getgid())),
            handler: ClosureHandler { _ in Response(.ok) })
        #expect(try mode(directory + "/s") == 0o660)
        await server.stop(deadline: .zero)
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func secondServerOnALiveSocketIsRefused() async throws {
        try await HTTPFixture.with(.unix) { _ in
            Response(.ok)
        } body: { fixture async throws in
            let error = #expect(throws: ServerError.self) { try self.server(fixture.directory + "/s") }
            #expect(error?.code == .addressInUse)
            #expect(try await fixture.transport().send(Request(.get, [])).status == .ok)
        }
    }

    @Test func secondServerOnALivePortIsRefused() async throws {
        try await HTTPFixture.with(.tcp) { _ in
            Response(.ok)
        } body: { fixture async throws in
            let listen = ListenAddress.tcp(address: "127.0.0.1", port: fixture.server.port ?? 0)
            let error = #expect(throws: ServerError.self) {
                try Server(
                    configuration: ServerConfiguration(listen: listen),
                    handler: ClosureHandler { _ in Response(.ok) })
            }
            #expect(error?.code == .addressInUse)
        }
    }

    @Test func staleSocketIsReplacedAndRemovedAtTheEnd() async throws {
        let directory = try HTTPFixture.temporaryDirectory()
        let path = directory + "/s"
        try leaveStaleSocket(at: path)
        let server = try server(path)
        let transport = CurlTransport(endpoint: Endpoint(unixSocket: path))
        #expect(try await transport.send(Request(.get, [])).status == .ok)
        await server.stop(deadline: .zero)
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func otherFilesAreLeftAlone() throws {
        let directory = try HTTPFixture.temporaryDirectory()
        try Data("mine".utf8).write(to: URL(filePath: directory + "/s"))
        #expect(throws: ServerError.self) { try server(directory + "/s") }
        #expect(FileManager.default.contents(atPath: directory + "/s") == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func inheritedSocketIsServed() async throws {
        let (socket, port) = try RawSocket.listening()
        let server = try Server(
            configuration: ServerConfiguration(listen: .inherited(descriptor: socket.inherited)),
            handler: ClosureHandler { _ in Response(.ok) })
        socket.close()
        #expect(server.port == port)
        var options = CurlTransport.Options()
        options.proxy = ""
        let transport = CurlTransport(endpoint: Endpoint(base: "http://127.0.0.1:\(port)"), options: options)
        #expect(try await transport.send(Request(.get, [])).status == .ok)
        await server.stop(deadline: .zero)
    }

    @Test func descriptorThatDoesNotListenIsRefused() {
        let error = #expect(throws: ServerError.self) {
            try Server(
                configuration: ServerConfiguration(listen: .inherited(descriptor: 0)),
                handler: ClosureHandler { _ in Response(.ok) })
        }
        #expect(error?.code == .unusableAddress)
    }

    @Test func unusableCertificateIsRefusedWithTheLibrarysWords() {
        var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
        configuration.tls = ServerConfiguration.TLS(certificate: "no", key: "no")
        let error = #expect(throws: ServerError.self) {
            try Server(configuration: configuration, handler: ClosureHandler { _ in Response(.ok) })
        }
        #expect(error?.code == .refused)
        #expect(error?.message.isEmpty == false)
    }

    @Test func droppedServerStops() async throws {
        let directory = try HTTPFixture.temporaryDirectory()
        let path = directory + "/s"
        do { _ = try server(path) }
        // Its end can be seen from outside only: the path is free again.
        while FileManager.default.fileExists(atPath: path) { await Task.yield() }
        try FileManager.default.removeItem(atPath: directory)
    }

    private func server(_ path: String) throws -> Server {
        try Server(
            configuration: ServerConfiguration(listen: .unix(path: path, group: nil)),
            handler: ClosureHandler { _ in Response(.ok) })
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// A socket file whose server is gone, as after a crash.
    private func leaveStaleSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0)
        close(descriptor)
    }
}
