import Curl
import HTTP
import Hub
import MicroHTTPD
import Platform
import Remote
import Sync
import TandemItems
import TestSupport
import Testing
import Wire

/// The hub over real sockets, made as a daemon makes it.
@Suite(.timeLimit(.minutes(5)))
struct RemoteHubSocketTests {
    private func connect(to address: String, token: String) throws -> RemoteHub {
        RemoteHub.connect(
            Membership(address: address, token: token), as: try ReplicaID("r1"), named: "a machine")
    }

    @Test func membershipIsAllThatAConnectionTakes() async throws {
        try await HubHarness.withService { service, tokens, _ in
            try await HubHarness.withServer(service) { endpoint in
                let hub = try connect(to: endpoint.base + "/", token: tokens.editor)
                #expect(try await hub.hello().name == "a hub")
                #expect(
                    try await hub.push([try hubMutation("a")], to: .todo, seen: nil).outcomes == [.accepted(Version(1))]
                )
                #expect(try await hub.hello().writers == [try ReplicaID("r1"): "a machine"])
            }
        }
    }

    @Test func nobodyAtTheAddressIsUnreachable() async throws {
        let listen = ListenAddress.tcp(address: "127.0.0.1", port: 0)
        let server = try Server(configuration: ServerConfiguration(listen: listen), handler: NoService())
        let port = server.port ?? 0
        await server.stop(deadline: .zero)
        let hub = try connect(to: "http://127.0.0.1:\(port)", token: "t")
        await expectHubError(.unreachable) { () async throws(HubError) in try await hub.hello() }
        await expectHubError(.unreachable) { () async throws(HubError) in try await hub.events() }
    }

    @Test func serverThatIsNoHubIsSaidToBeNone() async throws {
        try await HubHarness.withServer(NoService()) { endpoint in
            let hub = try connect(to: endpoint.base, token: "t")
            await expectHubError(.notAHub) { () async throws(HubError) in try await hub.hello() }
            await expectHubError(.notAHub) { () async throws(HubError) in try await hub.events() }
        }
    }

    @Test func encryptedAddressOfAPlainHubIsInsecure() async throws {
        try await HubHarness.withServer(NoService()) { endpoint in
            let address = "https://" + endpoint.base.dropFirst("http://".count)
            let hub = try connect(to: address, token: "t")
            await expectHubError(.insecure) { () async throws(HubError) in try await hub.hello() }
        }
    }

    @Test func streamThatNobodyReadsAnyMoreIsClosedOnTheHub() async throws {
        try await HubHarness.withService { service, tokens, _ in
            try await HubHarness.withServer(service) { endpoint in
                let hub = try connect(to: endpoint.base, token: tokens.editor)
                for try await event in try await hub.events() where event == .head(.todo, .none) { break }
                try await eventually {
                    let metrics = await service.respond(to: HubRoute.metrics.request)
                    return String(decoding: metrics.bytes, as: UTF8.self).contains("tandem_hub_event_streams 0\n")
                }
            }
        }
    }

    @Test func streamEndsWhenTheHubGoes() async throws {
        try await HubHarness.withService { service, tokens, _ in
            let listen = ListenAddress.tcp(address: "127.0.0.1", port: 0)
            let server = try Server(configuration: ServerConfiguration(listen: listen), handler: service)
            let hub = try connect(to: "http://127.0.0.1:\(server.port ?? 0)", token: tokens.editor)
            var events = try await hub.events().makeAsyncIterator()
            #expect(try await events.next() == .head(try ListName("other"), .none))
            #expect(try await events.next() == .head(.todo, .none))
            await server.stop(deadline: .zero)
            do {
                #expect(try await events.next() == nil)
            } catch let error as HubError {
                #expect(error.code == .interrupted)
            }
        }
    }
}

/// A web server of something else.
private struct NoService: Handler {
    func respond(to request: Request) async -> Response {
        Response(.ok, headers: ["Content-Type": "text/html"], body: .bytes(Array("<html></html>".utf8)))
    }
}
