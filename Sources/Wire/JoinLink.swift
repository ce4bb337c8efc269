import HTTP

/// What a machine needs to join a hub: `ADDRESS/join#TOKEN`. The token stands behind the `#`, so that a link that is
/// opened in a browser by mistake sends no secret anywhere.
package struct JoinLink: Hashable, Sendable, CustomStringConvertible {
    /// The hub's base URL, without a slash at the end.
    package let address: String
    package let token: String

    package init(address: String, token: String) {
        self.address = address
        self.token = token
    }

    /// Reads a link. Throws a ``Failure`` that says what is wrong with it.
    package init(_ text: String) throws(Failure) {
        let hint = "a join link is one line that 'tandem-hub token add' prints: http://HOST:PORT/join#TOKEN"
        let bad = { (message: String) in Failure(.badRequest, code: "bad-link", message, hint: hint) }
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw bad("this is no join link")
        }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw bad("the join link has no token") }
        let scheme = ["http://", "https://"].first { parts[0].hasPrefix($0) }
        guard let scheme, parts[0].hasSuffix("/join"), parts[0].utf8.count > scheme.utf8.count + 5 else {
            throw bad("the join link does not start with the hub's address")
        }
        address = String(parts[0].dropLast(5))
        token = String(parts[1])
        guard token.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }),
            !address.dropFirst(scheme.count).contains(where: { "?@\\".contains($0) })
        else { throw bad("the join link is damaged") }
    }

    package var description: String { "\(address)/join#\(token)" }
}
