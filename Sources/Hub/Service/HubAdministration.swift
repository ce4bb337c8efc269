import HTTP
package import Platform
package import TandemItems
import Wire

/// What the hub's operator does with lists and tokens; works on the store while the hub serves.
package struct HubAdministration: Sendable {
    private let storage: any HubStorage
    private let time: any TimeSource

    package init(storage: any HubStorage, time: any TimeSource = SystemTime()) {
        self.storage = storage
        self.time = time
    }

    package func lists() async throws -> [HubList] {
        try await storage.read { try $0.lists() }
    }

    /// Adds an empty list. Throws a ``Failure`` where the name is taken.
    package func addList(_ name: ListName, kind: ListKind) async throws {
        try await storage.write { store in
            guard try store.list(name) == nil else {
                throw Failure(.conflict, code: "list-exists", "there is a list '\(name)' already")
            }
            try store.add(HubList(name: name, kind: kind))
        }
    }

    /// Removes a list with all its items and history. Throws a ``Failure`` where there is none.
    package func removeList(_ name: ListName) async throws {
        try await storage.write { store in
            guard try store.list(name) != nil else { throw Self.noSuchList(name) }
            try store.removeList(name)
        }
    }

    package func tokens() async throws -> [TokenRecord] {
        try await storage.read { try $0.tokens() }
    }

    /// Makes a token and gives its secret, which is not stored and cannot be had again.
    ///
    /// - Parameter lifetime: after which it ends by itself; `nil` for one that is valid until it is revoked.
    package func addToken(
        _ name: String, role: Role, lists: [ListName], lifetime: Duration? = nil
    ) async throws -> String {
        let secret = TokenSecret.make()
        let now = Timestamp(milliseconds: time.now)
        let token = TokenRecord(
            name: name, hash: TokenSecret.hash(secret), role: role, lists: lists, created: now,
            expires: lifetime.map { Timestamp(milliseconds: now.milliseconds + $0.milliseconds) })
        try await storage.write { store in
            guard try !store.tokens().contains(where: { $0.name == name }) else {
                throw Failure(
                    .conflict, code: "token-exists", "there is a token '\(name)' already",
                    hint: "revoked ones keep their name; choose another")
            }
            for list in lists where try store.list(list) == nil { throw Self.noSuchList(list) }
            try store.put(token)
        }
        return secret
    }

    /// Ends a token at once. Throws a ``Failure`` where there is none of that name.
    package func revokeToken(_ name: String) async throws {
        try await storage.write { store in
            guard var token = try store.tokens().first(where: { $0.name == name }) else {
                throw Failure(.notFound, code: "no-such-token", "there is no token '\(name)'")
            }
            token.isRevoked = true
            try store.put(token)
        }
    }

    private static func noSuchList(_ name: ListName) -> Failure {
        Failure(
            .notFound, code: "no-such-list", "there is no list '\(name)'", hint: "add it: tandem-hub list add \(name)")
    }
}
