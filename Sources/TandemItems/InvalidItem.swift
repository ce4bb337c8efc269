/// Why a piece of data is not an item, a mutation or a name. Every such piece is refused whole; nothing is cut to fit.
public struct InvalidItem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for programs.
    public enum Code: String, Sendable {
        /// An item id breaks its rule.
        case identifier = "invalid-id"
        /// A field name breaks its rule.
        case fieldName = "invalid-field-name"
        /// A list name breaks its rule.
        case listName = "invalid-list-name"
        /// A replica id or nonce breaks its rule.
        case replica = "invalid-replica"
        /// A member is missing or has another type than its meaning needs.
        case shape = "malformed"
        /// The item would be larger than ``Limits/itemBytes``.
        case tooLarge = "item-too-large"
        /// The item would have more than ``Limits/fields`` fields.
        case tooManyFields = "too-many-fields"
        /// A counter was asked to change, and the field holds no number.
        case notACounter = "not-a-counter"
        /// A counter would leave the 64-bit range.
        case counterOverflow = "counter-overflow"
    }

    /// What is wrong, for programs.
    public let code: Code
    /// What is wrong, for people.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
