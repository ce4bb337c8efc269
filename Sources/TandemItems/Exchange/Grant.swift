/// What a token may do with a list; each role includes those before it.
package enum Role: String, Sendable, CaseIterable, Comparable {
    /// Reads items and history.
    case reader
    /// Pushes mutations too.
    case editor
    /// May be given tokens for others by the operator; as an editor on the wire.
    case owner

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }
}

/// A list that a token may see.
package struct Grant: Hashable, Sendable {
    package var list: ListName
    package var kind: ListKind
    package var role: Role
    /// The list's latest sequence when the hub answered.
    package var head: Version

    package init(list: ListName, kind: ListKind, role: Role, head: Version) {
        self.list = list
        self.kind = kind
        self.role = role
        self.head = head
    }
}
