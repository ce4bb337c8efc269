package import TandemItems

/// A list as the hub keeps it.
package struct HubList: Hashable, Sendable {
    package var name: ListName
    package var kind: ListKind
    /// The latest sequence; allocated only in the write transaction that uses it.
    package var head: Version
    /// The prefix digest at the head, in hexadecimal: a hash chain over the list's whole history.
    package var digest: String

    package init(name: ListName, kind: ListKind, head: Version = .none, digest: String = "0") {
        self.name = name
        self.kind = kind
        self.head = head
        self.digest = digest
    }
}

/// A token as the hub keeps it: its secret is not there, only the secret's hash.
package struct TokenRecord: Hashable, Sendable {
    /// Names the token to the operator; unique.
    package var name: String
    /// The hash of the secret.
    package var hash: [UInt8]
    package var role: Role
    package var lists: [ListName]
    package var created: Timestamp
    /// When it ends by itself, in hub time.
    package var expires: Timestamp?
    package var isRevoked: Bool

    package init(
        name: String, hash: [UInt8], role: Role, lists: [ListName], created: Timestamp, expires: Timestamp? = nil,
        isRevoked: Bool = false
    ) {
        self.name = name
        self.hash = hash
        self.role = role
        self.lists = lists
        self.created = created
        self.expires = expires
        self.isRevoked = isRevoked
    }
}

/// What the hub answered to a replica's number, so that a retry is answered the same.
package struct LedgerEntry: Hashable, Sendable {
    package var nonce: Nonce
    package var outcome: Outcome

    package init(nonce: Nonce, outcome: Outcome) {
        self.nonce = nonce
        self.outcome = outcome
    }
}

/// An item as it is stored and sent: its version, and the bytes of its JSON form.
package struct EncodedItem: Hashable, Sendable {
    package var version: Version
    package var json: [UInt8]

    package init(version: Version, json: [UInt8]) {
        self.version = version
        self.json = json
    }
}
