/// Names an item in its list: any UTF-8 text of 1 to 128 bytes without control characters.
public struct ItemID: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Throws ``InvalidItem`` where the text breaks the rule.
    public init(_ text: String) throws(InvalidItem) {
        guard text.isName(maximumBytes: Limits.identifierBytes) else {
            throw InvalidItem(.identifier, "an item id has 1 to \(Limits.identifierBytes) bytes, no control characters")
        }
        self.text = text
    }

    /// Takes a text that this module has made to the rule.
    init(minted text: String) { self.text = text }
}

/// Names a field of an item: any UTF-8 text of 1 to 128 bytes without control characters.
public struct FieldName: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Throws ``InvalidItem`` where the text breaks the rule.
    public init(_ text: String) throws(InvalidItem) {
        guard text.isName(maximumBytes: Limits.fieldNameBytes) else {
            throw InvalidItem(
                .fieldName, "a field name has 1 to \(Limits.fieldNameBytes) bytes, no control characters")
        }
        self.text = text
    }

    private init(reserved text: String) { self.text = text }

    /// Where the item stands in its list: a fractional key. See ``OrderKey``.
    public static let order = FieldName(reserved: "order")
    /// Whether the item is deleted. Only a write of this field deletes.
    public static let deleted = FieldName(reserved: "deleted")
    /// A todo's text.
    public static let title = FieldName(reserved: "title")
    /// A todo's state.
    public static let isCompleted = FieldName(reserved: "isCompleted")

    /// Quiet fields say where something stands, not what it is: the later write wins and no conflict is kept.
    public var isQuiet: Bool { self == .order }

    /// Whether the format itself gives the field its meaning and its bounds: it says where the item stands or whether
    /// it is deleted, not what it is.
    package var isReserved: Bool { self == .order || self == .deleted }

    /// What the fields of tags begin with: a tag is the field `tags/NAME`, true, so that adding and removing tags merge.
    package static let tagPrefix = "tags/"
}

/// Names a list: 1 to 64 ASCII letters, digits, `-`, `_` and `.`, so that it is the same in a URL, a file name and
/// a shell.
public struct ListName: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Throws ``InvalidItem`` where the text breaks the rule.
    public init(_ text: String) throws(InvalidItem) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, (1...Limits.listNameBytes).contains(text.utf8.count), !text.hasPrefix(".") else {
            throw InvalidItem(
                .listName, "a list name has 1 to \(Limits.listNameBytes) letters, digits, '-', '_' or '.'")
        }
        self.text = text
    }

    private init(reserved text: String) { self.text = text }

    /// The list that a new store starts with.
    public static let todo = ListName(reserved: "todo")
}

/// Names one store of a daemon; random, minted by the store itself.
public struct ReplicaID: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Throws ``InvalidItem`` where the text breaks the rule: 1 to 64 bytes, no control characters.
    public init(_ text: String) throws(InvalidItem) {
        guard text.isName(maximumBytes: Limits.replicaBytes) else {
            throw InvalidItem(.replica, "a replica id has 1 to \(Limits.replicaBytes) bytes, no control characters")
        }
        self.text = text
    }

    /// A new id: 16 digits of base 32, from 80 of the random bits. Short, since every stored value names its writer;
    /// among a million replicas the chance of two equal ones is below 1 in 10¹².
    package init(random: (UInt64, UInt64)) {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        let places = (0..<8).flatMap { [random.0 >> ($0 * 8) & 31, random.1 >> ($0 * 8) & 31] }
        text = String(decoding: places.map { digits[Int($0)] }, as: UTF8.self)
    }
}

/// Distinguishes two mutations that claim the same replica and number: a copied disk tells itself apart by it.
public struct Nonce: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Throws ``InvalidItem`` where the text breaks the rule: 1 to 64 bytes, no control characters.
    public init(_ text: String) throws(InvalidItem) {
        guard text.isName(maximumBytes: Limits.replicaBytes) else {
            throw InvalidItem(.replica, "a nonce has 1 to \(Limits.replicaBytes) bytes, no control characters")
        }
        self.text = text
    }

    /// A nonce of 64 random bits.
    package init(random: UInt64) {
        text = String(random | 1 << 63, radix: 16)
    }
}

/// Names a conflict: the nonce of the mutation that opened it, and which of that mutation's conflicts it is.
public struct ConflictID: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Takes any text: an id that names nothing is found out where it is looked up.
    public init(_ text: String) { self.text = text }

    init(openedBy nonce: Nonce, index: Int) {
        text = index == 0 ? nonce.text : "\(nonce.text)-\(index)"
    }
}

/// One life of a hub's history: random, minted when the hub's store is made or restored.
public struct Epoch: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Takes any text: epochs are only compared.
    public init(_ text: String) { self.text = text }
}

/// What a list holds, for programs that show it. Unknown kinds are passed on as they are.
public struct ListKind: ByteText {
    /// The text, exactly as it was given.
    public let text: String

    /// Takes any text.
    public init(_ text: String) { self.text = text }

    /// Items with `title` and `isCompleted`.
    public static let todo = ListKind("todo")
    /// The kinds that the programs know.
    public static let known = ["todo", "contact", "person", "user", "item"].map(ListKind.init)
}
