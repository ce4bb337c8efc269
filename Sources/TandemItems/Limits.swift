/// The bounds that every end enforces. The hub announces those that it may change; the others are part of the format.
public struct Limits: Hashable, Sendable {
    /// Longest item id, in bytes.
    public static let identifierBytes = 128
    /// Longest field name, in bytes.
    public static let fieldNameBytes = 128
    /// Longest list name, in bytes.
    public static let listNameBytes = 64
    /// Longest replica id or nonce, in bytes.
    public static let replicaBytes = 64
    /// Longest key of an item's place in its list, in bytes.
    public static let orderKeyBytes = 4_096
    /// Deepest nesting of a JSON value.
    public static let jsonDepth = 128

    /// Largest item, in bytes of its JSON form.
    public var itemBytes: Int
    /// Most fields of an item, removed ones counted.
    public var fields: Int
    /// Most mutations of one push.
    public var batchMutations: Int
    /// Largest body of one push, in bytes.
    public var batchBytes: Int

    /// Makes limits; the defaults are the design's.
    public init(
        itemBytes: Int = 1 << 20, fields: Int = 256, batchMutations: Int = 1_000, batchBytes: Int = 4 << 20
    ) {
        self.itemBytes = itemBytes
        self.fields = fields
        self.batchMutations = batchMutations
        self.batchBytes = batchBytes
    }
}
