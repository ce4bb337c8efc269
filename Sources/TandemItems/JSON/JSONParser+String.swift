extension JSONParser {
    /// Reads a string, its opening quote next.
    mutating func string() throws(JSONError) -> String {
        guard take(UInt8(ascii: "\"")) else { throw error("expected a string") }
        let start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(from: start)
                advance()
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error("a control character in a string must be escaped")
            default: advance()
            }
        }
        throw error("the string does not end")
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var result = try text(from: start)
        var segment = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                result += try text(from: segment)
                advance()
                return result
            case UInt8(ascii: "\\"):
                result += try text(from: segment)
                advance()
                result.unicodeScalars.append(try escape())
                segment = position
            case 0..<0x20: throw error("a control character in a string must be escaped")
            default: advance()
            }
        }
        throw error("the string does not end")
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw error("the string does not end") }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("no such escape")
        }
    }

    /// Surrogate pairs as RFC 8259, section 7 has them; half a pair is no character and cannot be kept.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw error("a lone surrogate escape is no character")
        }
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw error("a lone surrogate escape is no character") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
