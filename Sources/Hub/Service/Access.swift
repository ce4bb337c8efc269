import HTTP
import Sodium
import TandemItems
import Wire

/// What the token of a request may do. Looked up in the transaction that acts on it, so that a revoked token does
/// nothing more from the moment of its revocation.
struct Access {
    let token: TokenRecord

    /// Throws a ``Failure`` of status 401 where there is no valid token.
    init(_ request: Request, in store: any HubReading, now: Timestamp) throws {
        let hint = "ask the hub's operator for a new join link: tandem-hub token add"
        let scheme = "Bearer "
        guard let header = request.headers["Authorization"], header.hasPrefix(scheme) else {
            throw Failure(.unauthorized, code: "unauthorized", "the request carries no token", hint: hint)
        }
        guard let token = try store.token(hash: TokenSecret.hash(String(header.dropFirst(scheme.count)))) else {
            throw Failure(.unauthorized, code: "unauthorized", "the token is not known here", hint: hint)
        }
        guard !token.isRevoked else {
            throw Failure(.unauthorized, code: "token-revoked", "the token has been revoked", hint: hint)
        }
        if let expires = token.expires, expires <= now {
            throw Failure(.unauthorized, code: "token-expired", "the token has expired", hint: hint)
        }
        self.token = token
    }

    /// The list, if the token may act on it in this role. A list that it may not see is not told from one that does
    /// not exist.
    func list(_ name: ListName, as role: Role, in store: any HubReading) throws -> HubList {
        guard token.lists.contains(name), let list = try store.list(name) else {
            throw Failure(.notFound, code: "no-such-list", "this token sees no list '\(name)'")
        }
        guard token.role >= role else {
            throw Failure(
                .forbidden, code: "forbidden", "this token may read '\(name)', not change it",
                hint: "ask the hub's operator for a token with the role 'editor'")
        }
        return list
    }

    /// The lists that the token may see.
    func grants(in store: any HubReading) throws -> [Grant] {
        try token.lists.compactMap { name in
            try store.list(name).map { Grant(list: $0.name, kind: $0.kind, role: token.role, head: $0.head) }
        }
    }
}

/// The secret part of a token: 24 random bytes. Random enough that one fast hash keeps it; the hub stores only that.
package enum TokenSecret {
    package static func make() -> String { "tdm_" + Base64URL.encode(RandomBytes.make(24)) }

    package static func hash(_ secret: String) -> [UInt8] { Hash.blake2b(Array(secret.utf8)) }
}
