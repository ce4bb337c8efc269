extension JSON {
    /// The shortest JSON text of this value, as UTF-8.
    ///
    /// - Parameter canonical: whether the members of objects are sorted by their keys' bytes, so that equal values
    ///   have equal bytes.
    public func encoded(canonical: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes, canonical: canonical)
        return bytes
    }

    /// The same as ``encoded(canonical:)``, as a string.
    public var text: String { String(decoding: encoded(), as: UTF8.self) }

    /// Appends the JSON text of this value.
    package func encode(into bytes: inout [UInt8], canonical: Bool = false) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value):
            precondition(value.isFinite, "a JSON number is finite")
            bytes.append(contentsOf: value.description.utf8)
        case .string(let value): value.encodeJSON(into: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.encode(into: &bytes, canonical: canonical)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in (canonical ? object.sorted : object.members).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                member.key.encodeJSON(into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.encode(into: &bytes, canonical: canonical)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension String {
    /// Appends the text as a JSON string: quotes, backslashes and control characters escaped, all else as it is.
    package func encodeJSON(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if isPlainJSON { bytes.append(contentsOf: utf8) } else { encodeEscaped(into: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether nothing in the text needs an escape; then it is copied in one go.
    private var isPlainJSON: Bool {
        let span = utf8Span.span
        for index in span.indices {
            let byte = span[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private func encodeEscaped(into bytes: inout [UInt8]) {
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
            case 0..<0x20:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes.append(hexadecimal(byte >> 4))
                bytes.append(hexadecimal(byte & 15))
            default: bytes.append(byte)
            }
        }
    }

    private func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
