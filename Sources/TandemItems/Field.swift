/// Who wrote a value, and when it became part of the list's history.
public struct Origin: Hashable, Sendable {
    /// The sequence of the write; ``Version/none`` while it is pending on this replica.
    public var version: Version
    /// The author's replica.
    public var replica: ReplicaID
    /// The author's number of the mutation.
    public var n: Int64
    /// When the author made it, in hub time as the replica estimated it.
    public var at: Timestamp
    /// The sequence of the last part of the value that its writer had not seen: a counter that several changed at
    /// once. ``Version/none`` where the writer saw all of it. Having written a blended value proves that one has seen
    /// it only together with a base that has come as far as the blend.
    public var blend: Version

    /// Makes an origin.
    public init(version: Version, replica: ReplicaID, n: Int64, at: Timestamp, blend: Version = .none) {
        self.version = version
        self.replica = replica
        self.n = n
        self.at = at
        self.blend = blend
    }

    /// Whether the value holds a part that its writer had not seen.
    public var isBlended: Bool { blend > .none }
}

/// A field's value and where it comes from. A removed field stays as `null`, so that its removal can be merged.
public struct Field: Hashable, Sendable {
    /// The value; ``JSON/null`` where the field is absent.
    public var value: JSON
    /// Who wrote it.
    public var origin: Origin

    /// Makes a field.
    public init(_ value: JSON, _ origin: Origin) {
        self.value = value
        self.origin = origin
    }
}

/// A value that lost to a concurrent one, kept until someone who saw it writes the field or resolves it.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// Names it in every list of the hub.
    public var id: ConflictID
    /// The field that both wrote.
    public var field: FieldName
    /// The value that is not shown.
    public var value: JSON
    /// Who wrote the value that is not shown.
    public var origin: Origin
    /// The sequence at which it opened.
    public var opened: Version

    /// Makes a conflict.
    public init(id: ConflictID, field: FieldName, value: JSON, origin: Origin, opened: Version) {
        self.id = id
        self.field = field
        self.value = value
        self.origin = origin
        self.opened = opened
    }
}
