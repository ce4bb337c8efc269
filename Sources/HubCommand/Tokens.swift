import Hub
import Platform
import TandemItems
import Wire

/// `tandem-hub token`.
enum Tokens {
    static func add(_ parsed: Parsed, _ store: String) async throws {
        guard let role = Role(rawValue: parsed.value("role") ?? "") else {
            throw parsed.mistake("--role is missing", hint: "reader, editor or owner")
        }
        let lists = try parsed.values("list").map { try ListName($0) }
        guard !lists.isEmpty else { throw parsed.mistake("--list is missing", hint: "it may stand several times") }
        let name = parsed.required("NAME")
        let lifetime = try parsed.duration("expires")
        let secret = try await HubFiles.administer(store) {
            try await $0.addToken(name, role: role, lists: lists, lifetime: lifetime)
        }
        let address = parsed.value("address") ?? Address(store).text
        // A pipe to `tandem join` needs no advice.
        if Terminal.standardOutput.isTerminal {
            Output.standardError("This link is shown once. On the machine that is to join: tandem join LINK\n")
        }
        print(JoinLink(address: address, token: secret))
    }

    static func show(_ parsed: Parsed, _ store: String) async throws {
        let tokens = try await HubFiles.administer(store) { try await $0.tokens() }
        if parsed.flag("json") {
            print(JSON.array(tokens.map(json)).text)
            return
        }
        guard !tokens.isEmpty else {
            print("no tokens yet; add one: tandem-hub token add NAME --role editor --list todo")
            return
        }
        let now = SystemTime().now
        var table = Table([.init("TOKEN"), .init("ROLE"), .init("LISTS"), .init("CREATED"), .init("STATE")])
        for token in tokens {
            table.append([
                .init(token.name), .init(token.role.rawValue),
                .init(token.lists.map(\.text).joined(separator: ",")),
                .init(RelativeTime.text(token.created.milliseconds, now: now)), .init(state(token, now)),
            ])
        }
        print(table.render(for: .standardOutput), terminator: "")
    }

    static func revoke(_ parsed: Parsed, _ store: String) async throws {
        let name = parsed.required("NAME")
        try await HubFiles.administer(store) { try await $0.revokeToken(name) }
        print("revoked the token '\(name)'")
    }

    private static func state(_ token: TokenRecord, _ now: Int64) -> String {
        if token.isRevoked { return "revoked" }
        guard let expires = token.expires?.milliseconds else { return "valid" }
        let time = RelativeTime.text(expires, now: now)
        return expires <= now ? "expired \(time)" : "expires \(time)"
    }

    private static func json(_ token: TokenRecord) -> JSON {
        [
            "name": .string(token.name), "role": .string(token.role.rawValue),
            "lists": .array(token.lists.map { .string($0.text) }), "created": .int(token.created.milliseconds),
            "expires": token.expires.map { .int($0.milliseconds) } ?? .null, "revoked": .bool(token.isRevoked),
        ]
    }
}
