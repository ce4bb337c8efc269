import Platform
import TandemClient

/// What a word of the form `FIELD=VALUE` asks for.
enum FieldAssignment: Equatable {
    case set(FieldName, JSON)
    case add(FieldName, Int64)

    /// Reads `FIELD=VALUE`, `FIELD+=N` or `FIELD-=N`.
    ///
    /// A value that is written as JSON (a number, `true`, `false`, `null`, a text in quotes, an array, an object) is that
    /// JSON; anything else is a text. `title` and `name` stay texts whatever they look like.
    init(_ word: String, _ parsed: Parsed) throws {
        let bytes = Array(word.utf8)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
            throw parsed.mistake(
                "'\(word)' is no FIELD=VALUE", hint: "Write due=2026-12-24, or quote text that has spaces in it.")
        }
        let value = String(decoding: bytes[(equals + 1)...], as: UTF8.self)
        let sign = bytes[equals - 1]
        guard equals > 1, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            let name = try Self.name(bytes[..<equals])
            self = .set(name, Self.value(value, of: name))
            return
        }
        let name = try Self.name(bytes[..<(equals - 1)])
        let number = Int64(value).flatMap { sign == UInt8(ascii: "-") ? Self.negated($0) : $0 }
        guard let number else {
            throw parsed.mistake("'\(word)' adds no whole number", hint: "Write \(name)+=1 or \(name)-=1.")
        }
        self = .add(name, number)
    }

    /// What a person means by a value of a field.
    static func value(_ text: String, of name: FieldName?) -> JSON {
        let json = value(text)
        let isText = name == .title || name?.text == "name"
        guard isText, !json.isNull, json.string == nil else { return json }
        return .string(text)
    }

    private static func value(_ text: String) -> JSON {
        let isSpaced = [text.utf8.first, text.utf8.last].contains { $0.map { $0 <= 0x20 } ?? true }
        // Whatever is no JSON is a text.
        return (isSpaced ? nil : try? JSON(parsing: text)) ?? .string(text)
    }

    private static func name(_ bytes: ArraySlice<UInt8>) throws -> FieldName {
        try FieldName(String(decoding: bytes, as: UTF8.self))
    }

    private static func negated(_ number: Int64) -> Int64? {
        let (result, overflow) = (0 as Int64).subtractingReportingOverflow(number)
        return overflow ? nil : result
    }
}

extension EditRequest {
    /// Takes over what words of the form `FIELD=VALUE` ask for; a field may stand once.
    mutating func apply(_ words: [String], _ parsed: Parsed) throws {
        for word in words {
            let assignment = try FieldAssignment(word, parsed)
            let name =
                switch assignment {
                case .set(let name, _), .add(let name, _): name
                }
            guard set[name] == nil, increments[name] == nil else {
                throw parsed.mistake("the field '\(name)' is given twice")
            }
            switch assignment {
            case .set(_, let value): set[name] = value
            case .add(_, let step): increments[name] = step
            }
        }
    }
}
