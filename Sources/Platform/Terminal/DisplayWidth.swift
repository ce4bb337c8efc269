/// How many terminal cells text takes: 2 for East Asian wide characters and emoji, 0 for combining marks and
/// invisible characters, 1 for the rest (Unicode Standard Annex 11 and Technical Standard 51).
package enum DisplayWidth {
    /// The cells of text that has passed `VisibleText.escape`.
    package static func of(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// A whole grapheme: an emoji joined of many scalars takes the two cells of one.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains("\u{FE0F}") { return 2 }
        return min(2, scalars.reduce(0) { max($0, of($1)) })
    }

    /// The text cut to at most `width` cells, `…` standing for what was cut.
    package static func truncate(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            used += of(character)
            guard used < width else { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(scalar.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wide.contains { $0.contains(value) }
    }

    /// Blocks that are wide or full-width as a whole (EastAsianWidth.txt, W and F); emoji are found by their property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,  // kana, Han
        0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,  // Yi, Hangul
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,  // forms
        0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,  // Tangut, kana supplements, enclosed
        0x20000...0x3FFFD,  // Han, supplementary planes
    ]
}
