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
        left.text.hasBytes(of: right.text)
    }

    /// Bytewise order, as SQLite's BINARY collation has it.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.precedesBytewise(right.text)
    }

    /// Feeds the bytes and their count.
    public func hash(into hasher: inout Hasher) {
        unsafe text.utf8Span.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        hasher.combine(text.utf8.count)
    }

    /// The text itself.
    public var description: String { text }
}

extension String {
    /// Whether both have the same bytes. ASCII is compared in one go, as the library compares it; all else byte by byte.
    func hasBytes(of other: String) -> Bool {
        // Texts that are not even canonically equivalent differ in their bytes, and that is cheap to see.
        self == other && (isASCII && other.isASCII || utf8.elementsEqual(other.utf8))
    }

    /// Whether this text's bytes come first in bytewise order.
    func precedesBytewise(_ other: String) -> Bool {
        isASCII && other.isASCII ? self < other : utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Whether the text is known to be ASCII; it costs one look at a flag.
    private var isASCII: Bool { utf8Span.isKnownASCII }

    /// Whether the text has no control characters (Unicode general category Cc) and its UTF-8 form is 1 to
    /// `maximumBytes` long.
    func isName(maximumBytes: Int) -> Bool {
        (1...maximumBytes).contains(utf8.count)
            && !unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
