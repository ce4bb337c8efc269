/// Text from others made safe to show: what could move the cursor, hide or reorder text becomes visible.
package enum VisibleText {
    /// Control characters (C0, DEL, C1), line and paragraph separators and bidirectional overrides as escapes: `\n`,
    /// `\e`, `\x07`, `\u{202E}`. Everything else stays, so plain text costs one pass.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += escape($1) }
    }

    /// Whether a terminal would act on the scalar instead of showing it.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    static func escape(_ scalar: Unicode.Scalar) -> String {
        guard isUnsafe(scalar) else { return String(scalar) }
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "\u{1B}": return "\\e"
        default:
            return scalar.value < 0x100 ? "\\x" + hexadecimal(scalar.value) : "\\u{" + hexadecimal(scalar.value) + "}"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
