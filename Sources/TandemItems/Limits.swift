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
    /// Most conflicts that are open on one item: each change of the item writes all of them anew.
    public static let conflicts = 1_000
    /// Deepest nesting of a JSON value.
    public static let jsonDepth = 128

    /// Between what a hub may set its limits. What another end announces is brought into these bounds: there is
    /// arithmetic on limits, and they bound memory and time here.
    public enum Bounds {
        /// Of ``Limits/itemBytes``.
        public static let itemBytes = 1...(16 << 20)
        /// Of ``Limits/fields``.
        public static let fields = 1...1_024
        /// Of ``Limits/batchMutations``.
        public static let batchMutations = 1...10_000
        /// Of ``Limits/batchBytes``.
        public static let batchBytes = 1...(64 << 20)
    }

    /// Largest item, in bytes of its JSON form.
    public var itemBytes: Int
    /// Most fields of an item, removed ones counted.
    public var fields: Int
    /// Most mutations of one push.
    public var batchMutations: Int
    /// Largest body of one push, in bytes.
    public var batchBytes: Int

    /// Makes limits within their bounds; the defaults are the design's.
    public init(
        itemBytes: Int = 1 << 20, fields: Int = 256, batchMutations: Int = 1_000, batchBytes: Int = 4 << 20
    ) {
        self.itemBytes = itemBytes.clamped(to: Bounds.itemBytes)
        self.fields = fields.clamped(to: Bounds.fields)
        self.batchMutations = batchMutations.clamped(to: Bounds.batchMutations)
        self.batchBytes = batchBytes.clamped(to: Bounds.batchBytes)
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
