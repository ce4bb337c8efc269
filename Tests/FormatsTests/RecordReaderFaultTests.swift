import Formats
import TandemItems
import Testing

@Suite("RecordReader, faults")
struct RecordReaderFaultTests {
    /// Bad lines and what is said of them; nothing where that depends on the comma behind them.
    static let badLines = [
        ("{\"a\":\"\\ud800\"}", "a lone surrogate escape is no character"),
        ("{\"a\":\"\\q\"}", "no such escape"),
        ("{\"a\":1,\"a\":2}", "the key \"a\" stands twice"),
        ("{\"a\":tru}", "expected true"),
        ("{\"a\" 1}", "expected ':'"),
        ("{\"a\":1 \"b\":2}", "expected ',' or '}'"),
        ("{'a':1}", "expected a key"),
        ("{\"a\":99999999999999999999}", "the integer 99999999999999999999 does not fit 64 bits"),
        ("{\"a\":1,", "expected a key"),
        ("{\"a\":{\"b\":1},", "expected a key"),
        ("{\"a\":\"b}", "the string does not end"),
        ("{\"a\":\"b},", "the string does not end"),
        ("{\"a:1}", "the string does not end"),
        ("{\"a\":[1}", "expected ',' or ']'"),
        ("{\"a\":1", ""), ("{\"a\":[1", ""), ("{\"a\":[{}", ""), ("{\"a\":[", ""),
        ("{", "expected a key"),
        ("{\"a\":1}}", "this is not JSON: }"),
        ("\"a\":1}", "a record is a JSON object, this is a text"),
        ("42", "a record is a JSON object, this is a number"),
        ("null", "a record is a JSON object, this is null"),
        ("\"text\"", "a record is a JSON object, this is a text"),
        ("[1,{\"a\":2}]", "a record is a JSON object, this is an array"),
        (
            "{\"a\":\(String(repeating: "[", count: 200))1\(String(repeating: "]", count: 200))}",
            "nested deeper than 128"
        ),
        ("nonsense", "this is not JSON: nonsense"),
    ]

    @Test(arguments: badLines) func badLineOfAnArrayIsReportedAloneWithItsLine(line: String, message: String) {
        let found = read("[\n{\"x\":1},\n\(line),\n{\"y\":2},\n{\"z\":3}\n]\n").filter { !$0.hasPrefix("3 ") }
        #expect(found.count == 4)
        #expect(found.first == "2 {\"x\":1}")
        #expect(found.suffix(2) == ["4 {\"y\":2}", "5 {\"z\":3}"])
        #expect(found.dropFirst().first?.hasPrefix("line 3: \(message)") == true, "\(found)")
    }

    @Test(arguments: badLines.filter { !$0.0.hasPrefix("[") && !$0.0.hasPrefix("\"a") })
    func badLineAmongLinesIsReportedAloneWithItsLine(line: String, message: String) {
        let found = read("{\"x\":1}\r\n\(line)\r\n{\"y\":2}\r\n{\"z\":3}\r\n").filter { !$0.hasPrefix("2 ") }
        #expect(found.count == 4)
        #expect(found.first == "1 {\"x\":1}")
        #expect(found.suffix(2) == ["3 {\"y\":2}", "4 {\"z\":3}"])
        #expect(found.dropFirst().first?.hasPrefix("line 2: \(message)") == true, "\(found)")
    }

    @Test func badRecordWithinALineIsReportedAlone() {
        let text = "[{\"x\":1},{\"a\":{\"b\" 1}},{\"a\":\"\\ud800\"},{\"y\":2},3,{\"z\":3}]"
        #expect(
            read(text) == [
                "1 {\"x\":1}", "line 1: expected ':'", "line 1: a lone surrogate escape is no character", "1 {\"y\":2}",
                "line 1: a record is a JSON object, this is a number", "1 {\"z\":3}",
            ])
    }

    @Test func objectsThatAreLostWithABadOneAreSpokenOf() {
        #expect(
            read("[{\"x\":1},{\"a\":[1},{\"y\":2}]") == [
                "1 {\"x\":1}", "line 1: expected ',' or ']'; the rest of the line was passed over",
            ])
    }

    @Test func badRecordOfSeveralLinesIsPassedOverWhole() {
        let text = """
            [
              {
                "a": 1
              },
              {
                "a": "x,
                "b": [
                  {
                    "c": 1
                  }
                ]
              },
              {
                "a": 2
              }
            ]
            """
        let expected = [
            "2 {\"a\":1}", "line 6: the string does not end; lines 5 to 12 were passed over", "13 {\"a\":2}",
        ]
        #expect(read(text) == expected)
    }

    @Test func faultOfARecordWithSoundBracketsHasTheFaultsLine() throws {
        let records = RecordReader.records(in: Array("[\n{\n\"a\":1,\n\"b\":nul\n},\n{\"a\":2}]".utf8))
        #expect(records.map(\.summary) == ["line 4: expected null", "6 {\"a\":2}"])
        #expect(records.map(\.line) == [2, 6])
    }

    @Test func bytesThatAreNotUTF8AreThatRecordsFault() {
        let bytes = Array("{\"a\":1}\n{\"b\":\"".utf8) + [0xE9, 0xFF] + Array("\"}\n{\"c\":3}\n".utf8)
        let expected = ["1 {\"a\":1}", "line 2: the text is not UTF-8", "3 {\"c\":3}"]
        #expect(RecordReader.records(in: bytes).map(\.summary) == expected)
    }

    @Test func recordUpToTheBoundIsRead() {
        let record = "{\"a\":\"\(String(repeating: "x", count: 2 << 20))\"}"
        #expect(
            RecordReader.records(in: Array(record.utf8), maximumRecordBytes: record.utf8.count).count {
                $0.object != nil
            } == 1)
        let message = "the record is larger than \(record.utf8.count - 1) bytes"
        let found = read("[\n{\"x\":1},\n\(record),\n{\"y\":2}\n]\n", maximumRecordBytes: record.utf8.count - 1)
        #expect(found == ["2 {\"x\":1}", "line 3: \(message)", "4 {\"y\":2}"])
        let small = read("\(record)\n{\"y\":2}\n", maximumRecordBytes: 1_000)
        #expect(small == ["line 1: the record is larger than 1000 bytes", "2 {\"y\":2}"])
    }

    @Test func recordThatIsTooLargeIsPassedOverPieceByPiece() {
        var reader = RecordReader(maximumRecordBytes: 1_000)
        let piece = Array(repeating: UInt8(ascii: "x"), count: 10_000)
        reader.append(Array("{\"a\":\"".utf8))
        for _ in 0..<100 {
            reader.append(piece)
            #expect(reader.next() == nil)
        }
        reader.append(Array("\"}\n{\"b\":2}\n".utf8))
        reader.finish()
        #expect(reader.next()?.summary == "line 1: the record is larger than 1000 bytes")
        #expect(reader.next()?.summary == "2 {\"b\":2}")
        #expect(reader.next() == nil && reader.isDone)
    }

    @Test(arguments: ["", " ", "\n\r\n\t", "\u{FEFF}", "\u{FEFF}\n"]) func emptyFileIsOneError(text: String) {
        #expect(read(text) == ["line 1: the file is empty"])
    }

    @Test(arguments: [
        ("id,title\n1,\"a\"\n2,\"b\"\n", "id,title"), ("\"id\",\"title\"\n\"1\",\"a\"\n", "\"id\",\"title\""),
        ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "BEGIN:VCALENDAR"),
        ("(A) call {Anna}\n2027-01-01 x\n", "(A) call {Anna}"),
        ("2027-01-01 call\n", "2027-01-01 call"), ("\u{1}\u{7F}x", "\u{FFFD}\u{FFFD}x"), ("<html>\n<p>", "<html>"),
        ("description:\"x\"", "description:\"x\""),
        (String(repeating: "é", count: 90_000), String(repeating: "é", count: 20)),
    ])
    func fileThatIsNoJSONIsOneError(text: String, beginning: String) {
        #expect(read(text) == ["line 1: this is not JSON: \(beginning)"])
    }

    @Test func sourceFileIsNotWorthHundredsOfErrors() {
        let found = read(String(repeating: "if (x)\n{\n  y();\n}\n", count: 10_000))
        #expect(found.count == 21)
        #expect(found.first == "line 1: this is not JSON: if (x)")
        #expect(found.last?.hasSuffix("there are too many errors; the rest of the file was not read") == true)
    }

    @Test func errorsAreBoundedInAGoodFileToo() {
        let bytes = Array(String(repeating: "{\"a\":1}\n{\"a\"}\n", count: 100).utf8)
        let records = RecordReader.records(in: bytes, maximumErrors: 7)
        #expect(records.count { $0.object == nil } == 8)
        #expect(records.count == 15)
    }

    @Test(arguments: [
        [0xFF, 0xFE, 0x5B, 0], [0xFE, 0xFF, 0, 0x7B], [0x5B, 0, 0x0A, 0], [0, 0x7B, 0, 0x22], [0, 0, 0, 0x5B],
    ])
    func wideEncodingIsNamed(bytes: [UInt8]) {
        let expected = ["line 1: the file is UTF-16 or UTF-32; convert it to UTF-8 first"]
        #expect(RecordReader.records(in: bytes).map(\.summary) == expected)
    }

    @Test func fileThatWasCutOffIsNoticed() {
        #expect(read("[\n{\"a\":1},\n{\"b\":2") == ["2 {\"a\":1}", "line 3: the file ends within this record"])
        let cut = "the array does not end; the file may have been cut off"
        #expect(read("[\n{\"a\":1},\n") == ["2 {\"a\":1}", "line 3: \(cut)"])
        #expect(read("[") == ["line 1: \(cut)"])
        #expect(read("{\"a\":1}\n{\"b\":\"") == ["1 {\"a\":1}", "line 2: the file ends within this record"])
    }

    @Test func strayBracketDoesNotHideTheLinesBehindIt() {
        let found = read("[\n{\"a\":1}[\n{\"b\":2},\n{\"c\":3}\n]\n")
        #expect(found.filter { !$0.hasPrefix("line") } == ["2 {\"a\":1}", "3 {\"b\":2}", "4 {\"c\":3}"])
        #expect(read("{\"a\":1}\n]\n") == ["1 {\"a\":1}", "line 2: this is not JSON: ]"])
    }
}
