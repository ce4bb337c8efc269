import Testing

@testable import TandemItems

/// What RFC 8259 allows is read, and kept as it was written; what could not be kept is refused.
@Suite struct JSONParserTests {
    private static let accepted: [(String, JSON)] = [
        ("null", nil), ("true", true), ("false", false),
        ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("1.0", 1.0), ("-0.0", .double(-0.0)), ("1e2", 100.0), ("1E+2", 100.0), ("25e-1", 2.5), ("0e0", 0.0),
        ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
        ("1e-999", 0.0), ("9223372036854775808.0", 9_223_372_036_854_775_808.0),
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""é\u00e9\u00E9""#, "ééé"),
        (#""\u0000""#, "\0"), (#""a\u0000b""#, "a\0b"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
        (#""\uD83C\uDF89""#, "🎉"), (#""\uD800\uDC00""#, "\u{10000}"), (#""\udbff\udfff""#, "\u{10FFFF}"),
        (#""\uFFFF\uFEFF""#, "\u{FFFF}\u{FEFF}"), (#""🎉""#, "🎉"), (#""\u000d\n""#, "\r\n"),
        ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), (" \t\r\n[ 1 , [ ] ]\n", [1, []]),
        (#"{"a":1,"b":{"a":[null]}}"#, ["a": 1, "b": ["a": [nil]]]), (#"{"":0}"#, ["": 0]),
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", .object(JSONObject([("\u{E9}", 1), ("e\u{301}", 2)]))),
    ]

    @Test(arguments: accepted)
    func textIsRead(_ text: String, _ value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
    }

    private static let refused: [(String, String)] = [
        ("", "the text ends where a value is expected"), (" ", "the text ends where a value is expected"),
        ("9223372036854775808", "does not fit 64 bits"), ("-9223372036854775809", "does not fit 64 bits"),
        ("100000000000000000000000000000000000000000000", "does not fit 64 bits"),
        ("1e999", "out of a double's range"), ("-1e999", "out of a double's range"),
        ("01", "more text"), ("-01", "more text"), ("+1", "no JSON value"), (".5", "no JSON value"),
        ("1.", "expected a digit"), ("-", "expected a digit"), ("1e", "expected a digit"), ("1e+", "expected a digit"),
        ("1.e1", "expected a digit"), ("0x1", "more text"), ("NaN", "no JSON value"), ("Infinity", "no JSON value"),
        ("-Infinity", "expected a digit"), ("nul", "expected null"), ("nulL", "expected null"),
        ("True", "no JSON value"),
        ("tru", "expected true"), ("truee", "more text"), ("1 2", "more text"), ("null,", "more text"),
        ("{} {}", "more text"), ("[", "ends where"), ("[1", "expected ',' or ']'"), ("[1,", "ends where"),
        ("[1,]", "no JSON value"), ("[,1]", "no JSON value"), ("[1 2]", "expected ',' or ']'"), ("]", "no JSON value"),
        ("{", "expected a key"), (#"{"a"}"#, "expected ':'"), (#"{"a":}"#, "no JSON value"),
        ("{a:1}", "expected a key"),
        (#"{"a":1,}"#, "expected a key"), (#"{"a":1 "b":2}"#, "expected ',' or '}'"), ("{1:2}", "expected a key"),
        (#"{"a":1,"b":2,"a":3}"#, "stands twice"), (#"{"a":1,"\u0061":1}"#, "stands twice"),
        (#"[{"x":{"a":1,"a":1}}]"#, "stands twice"), ("'a'", "no JSON value"), ("// c\n1", "no JSON value"),
        (#"""#, "does not end"), (#""abc"#, "does not end"), (#""\"#, "does not end"), (#""\"abc"#, "does not end"),
        (#""\x41""#, "no such escape"), (#""\'""#, "no such escape"), (#""\U0041""#, "no such escape"),
        (#""\u12""#, "four hexadecimal"), (#""\u12G4""#, "four hexadecimal"), (#""\u+123""#, "four hexadecimal"),
        ("\"a\nb\"", "must be escaped"), ("\"a\tb\"", "must be escaped"), ("\"\0\"", "must be escaped"),
        ("\"\\n\u{1F}\"", "must be escaped"), ("\u{FEFF}1", "no JSON value"), ("\u{A0}1", "no JSON value"),
    ]

    @Test(arguments: refused)
    func textIsRefused(_ text: String, _ reason: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        #""\uD800""#, #""\uDBFF""#, #""\uDC00""#, #""\uDFFF""#, #""\uD800\uD800""#, #""\uD800\u0041""#,
        #""\uDBFF\uFFFF""#, #""\uDC00\uD800""#, #""\uD800x""#, #""\uD800\n""#, #""x\uD83Cy""#, #""\uD800\uDBFF""#,
        #"{"\uD800":1}"#,
    ])
    func loneSurrogateIsRefused(_ text: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.message == "a lone surrogate escape is no character")
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] as [[UInt8]])
    func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.self) { try JSON(parsing: [quote] + bytes + [quote]) }
        #expect(throws: JSONError.self) { try JSON(parsing: Array(#""\n"#.utf8) + bytes + [quote]) }
        #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func nestingIsBounded(_ open: String, _ close: String) throws {
        let nested = { (depth: Int) in
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        #expect(throws: Never.self) { try JSON(parsing: nested(Limits.jsonDepth)) }
        #expect(throws: JSONError.self) { try JSON(parsing: nested(Limits.jsonDepth + 1)) }
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: open, count: 100_000)) }
        #expect(throws: Never.self) { try JSON(parsing: "[" + String(repeating: "[],", count: 1_000) + "[]]") }
    }

    @Test func errorTellsThePlace() {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: #"{"é": tru}"#) }
        #expect(error?.offset == 10)
        #expect(error?.description == "expected true at byte 10")
    }

    @Test func repeatedKeyIsFoundAmongMany() throws {
        let members = (0..<40).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try JSON(parsing: "{\(members)}").object?.members.count == 40)
        #expect(throws: JSONError.self) { try JSON(parsing: "{\(members),\"k7\":1}") }
    }

    @Test func valuesAreReadOneAfterAnother() throws {
        var parser = JSONParser(Array("{\"a\":1}\n[2]\n3 ".utf8))
        var values: [JSON] = []
        while !parser.isAtEnd {
            values.append(try parser.value())
            parser.skipSpace()
        }
        #expect(values == [["a": 1], [2], 3])
    }
}
