/// Why a text is not JSON that Tandem can keep.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, in bytes from the start of the text.
    public let offset: Int
    /// What is wrong.
    public let message: String

    /// The message and the place.
    public var description: String { "\(message) at byte \(offset)" }
}

extension JSON {
    /// Reads one JSON text (RFC 8259), white space around it allowed.
    ///
    /// Stricter than the RFC where a value could not be kept as it was written: an integer outside 64 bits, a number
    /// beyond a double's range, a key that stands twice, a lone surrogate and bytes that are not UTF-8 are errors, and
    /// nesting is bounded by ``Limits/jsonDepth``.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.value()
        parser.skipSpace()
        guard parser.isAtEnd else { throw parser.error("more text after the value") }
    }

    /// Reads one JSON text.
    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

/// Reads JSON values one after another from bytes in memory.
package struct JSONParser {
    private let bytes: [UInt8]
    package private(set) var position: Int
    private var depth = 0

    package init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    package var isAtEnd: Bool { position >= bytes.count }

    /// The next byte, not taken.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package func error(_ message: String) -> JSONError { JSONError(offset: position, message: message) }

    /// Passes over space, tabs and line ends.
    package mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Passes over one byte.
    mutating func advance() { position += 1 }

    /// The bytes from a place up to here, as text.
    func text(from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
            throw JSONError(offset: start, message: "the text is not UTF-8")
        }
        return text
    }

    /// Takes one byte if it comes next.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads one value and stops behind it.
    package mutating func value() throws(JSONError) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in .object(try parser.object()) }
        case UInt8(ascii: "["): return try nested { parser throws(JSONError) in .array(try parser.array()) }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case nil: throw error("the text ends where a value is expected")
        default: throw error("no JSON value starts here")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        depth += 1
        guard depth <= Limits.jsonDepth else { throw error("nested deeper than \(Limits.jsonDepth)") }
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func array() throws(JSONError) -> [JSON] {
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var members: [(key: String, value: JSON)] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return JSONObject() }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected a key") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
            members.append((key: key, value: try value()))
            skipSpace()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
        }
        if let key = repeated(members) { throw error("the key \"\(key)\" stands twice") }
        return JSONObject(distinct: members)
    }

    private func repeated(_ members: [(key: String, value: JSON)]) -> String? {
        guard members.count > 16 else {
            for (index, member) in members.enumerated() {
                let isEarlier = members[..<index].contains { $0.key.hasBytes(of: member.key) }
                if isEarlier { return member.key }
            }
            return nil
        }
        var seen: Set<[UInt8]> = []
        return members.first { !seen.insert(Array($0.key.utf8)).inserted }?.key
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for byte in word.description.utf8 {
            guard take(byte) else { throw error("expected \(word)") }
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger {
            guard let value = Int64(text) else {
                throw JSONError(offset: start, message: "the integer \(text.prefix(40)) does not fit 64 bits")
            }
            return .int(value)
        }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(offset: start, message: "the number \(text.prefix(40)) is out of a double's range")
        }
        return .double(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("expected a digit") }
    }
}
