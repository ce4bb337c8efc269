/// A JSON value (RFC 8259), kept as it was written: 64-bit integers are exact, texts are compared bytewise, the order
/// of an object's members is kept, and `1` and `1.0` stay two values.
public enum JSON: Sendable {
    /// As a field's value: the field is absent.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent.
    case int(Int64)
    /// A number with a fraction or an exponent; always finite.
    case double(Double)
    /// A text; may hold U+0000.
    case string(String)
    /// An array: one opaque value to the merge.
    case array([JSON])
    /// An object: one opaque value to the merge.
    case object(JSONObject)
}

extension JSON {
    /// The truth value, where it is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The integer, where it is one.
    public var int: Int64? { if case .int(let value) = self { value } else { nil } }
    /// The text, where it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements, where it is an array.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    /// The members, where it is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// Whether it is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSON: Hashable {
    /// Equal as values: objects regardless of their members' order, texts by their bytes, and `0.0` is not `-0.0`.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.hasBytes(of: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    /// Feeds the canonical form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(encoded(canonical: true))
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object; a key may stand once.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
