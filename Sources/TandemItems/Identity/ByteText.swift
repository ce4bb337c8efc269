/// A text that is compared and hashed byte by byte, never normalised.
///
/// Swift's own `String` equality is canonical equivalence: `"é"` typed in two ways would be one key there and two on
/// every other program's disk. Identifiers and names here are what their bytes say.
public protocol ByteText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text, exactly as it was given.
    var text: String { get }
}

extension ByteText {
    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Bytewise order, as SQLite's BINARY collation has it.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the bytes and their count.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }

    /// The text itself.
    public var description: String { text }
}

extension String {
    /// Whether the text has no control characters (Unicode general category Cc) and its UTF-8 form is 1 to
    /// `maximumBytes` long.
    func isName(maximumBytes: Int) -> Bool {
        (1...maximumBytes).contains(utf8.count)
            && !unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
