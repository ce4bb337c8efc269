import Dispatch
import Glibc
import HTTP
import MicroHTTPD
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Join links that are refused", .serialized, .timeLimit(.minutes(2)))
struct RefusalLinkProcessTests {
    /// Answers everything with a page for people, as portals and wrong addresses do.
    private struct Page: Handler {
        let status: Status

        func respond(to request: Request) async -> Response {
            Response(status, headers: ["Content-Type": "text/html"], body: .bytes(Array("<h1>Welcome</h1>".utf8)))
        }
    }

    /// Expects that joining by a link is refused and leaves the daemon as it was.
    private func expectRefusal(
        _ tandem: Tandem, _ link: String, _ words: String, hint: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await tandem.client("anna").status()
        let output = try await tandem.tandem("anna", "join", link)
        output.expectFailure(1, words, hint: hint, sourceLocation: sourceLocation)
        #expect(!output.errors.contains("the daemon tries again"), sourceLocation: sourceLocation)
        #expect(try await tandem.client("anna").status() == before, sourceLocation: sourceLocation)
        #expect(before.state == "detached" && before.hubAddress == nil, sourceLocation: sourceLocation)
    }

    @Test func linkThatIsNoneOrDamagedIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let good = try await tandem.link("anna")
            let hint = "one line that 'tandem-hub token add' prints"
            try await expectRefusal(tandem, "rubbish", "the join link has no token", hint: hint)
            try await expectRefusal(tandem, "", "the join link has no token", hint: hint)
            try await expectRefusal(tandem, "zwölf Boxkämpfer", "this is no join link", hint: hint)
            try await expectRefusal(
                tandem, String(good.prefix { $0 != "#" }), "the join link has no token", hint: hint)
            try await expectRefusal(
                tandem, String(good.dropFirst(7)), "does not start with the hub's address", hint: hint)
            try await expectRefusal(
                tandem, good.replacing("/join", with: ""), "does not start with the hub's address", hint: hint)
            try await expectRefusal(tandem, good + "%20", "the join link is damaged", hint: hint)
            try await expectRefusal(tandem, good + "#again", "the join link has no token", hint: hint)
            try await expectRefusal(tandem, String(good.dropLast()), "not known", hint: "a new join link")
            try await tandem.done("anna", "join", "  \(good)\n")
        }
    }

    @Test func expiredLinkIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let link = try await tandem.link("anna", "--expires", "1ms")
            try await eventually("the token has expired") {
                try await tandem.hubCommand("token", "ls").text.contains("expired")
            }
            try await expectRefusal(tandem, link, "the token has expired", hint: "a new join link")
        }
    }

    @Test func revokedLinkIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let link = try await tandem.link("anna")
            try await tandem.hubCommand("token", "revoke", "anna")
            try await expectRefusal(tandem, link, "the token has been revoked", hint: "a new join link")
        }
    }

    @Test func linkToAHubThatIsDownIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let link = try await tandem.link("anna")
            await tandem.stopHub()
            try await expectRefusal(tandem, link, "the hub ", hint: "join again")
            try await tandem.startHub()
            try await tandem.done("anna", "join", link)
        }
    }

    @Test func linkToNobodyIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            try await expectRefusal(
                tandem, "http://127.0.0.1:1/join#tdm_x", "the hub cannot be reached", hint: "check the address")
            try await expectRefusal(
                tandem, "http://nowhere.invalid:8440/join#tdm_x", "nowhere.invalid", hint: "check the address")
        }
    }

    @Test(arguments: [200, 302, 404, 500])
    func linkToAnotherWebServerIsRefused(status: Int) async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
            let server = try Server(configuration: configuration, handler: Page(status: Status(status)))
            let link = "http://127.0.0.1:\(server.port ?? 0)/join#tdm_x"
            try await expectRefusal(tandem, link, "what answers there", hint: "check the address")
            await server.stop(deadline: .zero)
        }
    }

    @Test func linkToWhatSpeaksNoHTTPIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let server = try Mumbler()
            let link = "http://127.0.0.1:\(server.port)/join#tdm_x"
            try await expectRefusal(tandem, link, "HTTP", hint: "check the address")
            server.close()
        }
    }

    @Test func secondHubIsRefusedWhileTheFirstIsJoined() async throws {
        try await Tandem.with(["anna"]) { tandem in
            try await Tandem.with { other in
                try await tandem.done("anna", "add", "Mine")
                _ = try await tandem.converge("anna")
                let link = try await other.link("anna")
                try await tandem.tandem("anna", "join", link).expectFailure(
                    1, "belongs to the hub at http://127.0.0.1:\(tandem.proxy.port)", hint: "tandem leave")
                let status = try await tandem.client("anna").status()
                #expect(status.hubAddress == "http://127.0.0.1:\(tandem.proxy.port)")
                try await tandem.done("anna", "add", "Still mine")
                #expect(try await tandem.converge("anna").count == 2)
                #expect(try await other.hubCommand("list", "ls", "--json").text.contains(#""head":0"#))

                try await tandem.done("anna", "leave")
                try await tandem.tandem("anna", "leave").expectFailure(1, "belongs to no hub", hint: "tandem join LINK")
                try await tandem.done("anna", "join", link)
                #expect(try await tandem.converge("anna").map { $0[.title] } == ["Mine", "Still mine"])
                #expect(try await other.hubCommand("list", "ls", "--json").text.contains(#""head":2"#))
            }
        }
    }
}

/// A server that says something that is not HTTP to everyone, and hangs up.
private final class Mumbler: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "mumbler").async { [listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let words = Array("220 mail.example ESMTP\r\n".utf8)
                _ = send(client, words, words.count, Int32(MSG_NOSIGNAL))
                shutdown(client, Int32(SHUT_WR))
                var rest = [UInt8](repeating: 0, count: 4_096)
                while recv(client, &rest, rest.count, 0) > 0 {}
                Glibc.close(client)
            }
        }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }
}
