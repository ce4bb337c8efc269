extension JSON {
    /// How many bytes ``encoded(canonical:)`` has, found without making them.
    package var encodedCount: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .int(let value): String(value).utf8.count
        case .double(let value): value.description.utf8.count
        case .string(let value): Self.encodedCount(of: value)
        case .array(let elements): elements.reduce(1 + max(1, elements.count)) { $0 + $1.encodedCount }
        case .object(let object):
            object.members.reduce(1 + max(1, object.members.count)) {
                $0 + Self.encodedCount(of: $1.key) + 1 + $1.value.encodedCount
            }
        }
    }

    private static func encodedCount(of text: String) -> Int {
        text.utf8.reduce(2) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }
}

extension Item {
    /// The bytes of the fields' names and values in JSON form: what ``Limits/itemBytes`` bounds. The reserved fields
    /// have bounds of their own and do not count, so that an item that has reached its limits can be deleted and moved.
    package var contentBytes: Int {
        fields.entries.reduce(0) { sum, field in
            field.name.isReserved ? sum : sum + field.name.text.utf8.count + field.value.value.encodedCount
        }
    }

    /// The bytes of the values that lost and are kept.
    package var conflictBytes: Int { conflicts.reduce(0) { $0 + $1.value.encodedCount } }

    /// Throws where the item is larger than the limits allow, and larger in that than it was before: one that is past
    /// them, since they were lowered, can still be deleted, made smaller and settled step by step. Values that lost are
    /// bounded too: an item on which more than sixteen of the largest size are open, or very many small ones, takes no
    /// further conflict.
    package func check(_ limits: Limits, after before: Item? = nil) throws(InvalidItem) {
        guard isWithin(limits.fields, before, \.contentFields) else {
            throw InvalidItem(.tooManyFields, "an item has at most \(limits.fields) fields")
        }
        guard isWithin(limits.itemBytes, before, \.contentBytes) else {
            throw InvalidItem(.tooLarge, "an item has at most \(limits.itemBytes) bytes, this one has \(contentBytes)")
        }
        guard isWithin(Limits.conflicts, before, \.conflicts.count) else {
            throw InvalidItem(.tooLarge, "\(Limits.conflicts) conflicts are open on this item; resolve some first")
        }
        guard isWithin(16 * limits.itemBytes, before, \.conflictBytes) else {
            throw InvalidItem(.tooLarge, "too many large conflicts are open on this item; resolve some first")
        }
    }

    private var contentFields: Int { fields.entries.count { !$0.name.isReserved } }

    private func isWithin(_ limit: Int, _ before: Item?, _ size: KeyPath<Item, Int>) -> Bool {
        let now = self[keyPath: size]
        return now <= limit || before.map { now <= $0[keyPath: size] } ?? false
    }
}
