/// One change of one item as its author made it. Minted once, in the transaction that makes the edit visible to its
/// author, and the same in every retry.
public struct Mutation: Hashable, Sendable {
    /// The author's replica.
    public var replica: ReplicaID
    /// The author's number: 1, 2, 3 … per replica and list.
    public var n: Int64
    /// Random; tells two authors apart that claim the same replica and number.
    public var nonce: Nonce
    /// The item that changes; it is made if it is not there.
    public var item: ItemID
    /// The item's version that the author saw.
    public var base: Version
    /// New values; ``JSON/null`` removes a field.
    public var set: FieldMap<JSON>
    /// What to add to counters.
    public var increments: FieldMap<Int64>
    /// When the author made it, in hub time as the replica estimated it.
    public var at: Timestamp
    /// Members that a newer version of the format has added; passed on as they came.
    public var unknown: JSONObject

    /// Makes a mutation.
    public init(
        replica: ReplicaID, n: Int64, nonce: Nonce, item: ItemID, base: Version, set: FieldMap<JSON> = [:],
        increments: FieldMap<Int64> = [:], at: Timestamp, unknown: JSONObject = [:]
    ) {
        self.replica = replica
        self.n = n
        self.nonce = nonce
        self.item = item
        self.base = base
        self.set = set
        self.increments = increments
        self.at = at
        self.unknown = unknown
    }

    /// Whether it changes what the item is, not only where it stands or whether it is deleted.
    var editsContent: Bool {
        !increments.isEmpty || set.entries.contains { !$0.name.isReserved }
    }
}

/// What the hub made of a mutation. Answered the same to every retry.
public enum Outcome: Hashable, Sendable {
    /// Part of the list's history at this sequence.
    case accepted(Version)
    /// Not applied, and never will be under this number.
    case refused(Refusal)
}

/// Why a mutation was not applied.
public struct Refusal: Hashable, Sendable {
    /// For programs: a code of ``InvalidItem`` or of the hub (`replica-forked`).
    public var code: String
    /// For people.
    public var message: String

    /// Makes a refusal.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The replica's number was used before with another nonce: two stores run under one replica id.
    public static let replicaForked = Refusal(
        code: "replica-forked", message: "another store has already used this replica id and number")
}
