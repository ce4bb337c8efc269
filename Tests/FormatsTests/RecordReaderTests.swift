import Formats
import TandemItems
import Testing

@Suite("RecordReader")
struct RecordReaderTests {
    @Test func arrayWithAnObjectALineIsRead() throws {
        let records = RecordReader.records(in: Array(Samples.export.utf8))
        #expect(records.compactMap(\.object?["id"]) == [1, 2, 3, 4, 5, 6, 0, 0])
        #expect(records.map(\.line) == Array(2...9))
        let first = try #require(records.first)
        #expect(Array(Samples.export.utf8)[first.bytes].first == UInt8(ascii: "{"))
        #expect(Array(Samples.export.utf8)[first.bytes].last == UInt8(ascii: "}"))
    }

    @Test func objectALineIsRead() throws {
        #expect(try objects(in: Samples.lines) == objects(in: Samples.export))
        #expect(RecordReader.records(in: Array(Samples.lines.utf8)).map(\.line) == Array(1...8))
    }

    @Test(arguments: [
        "[{\"a\":1},{\"a\":2}]", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n", "{\"a\":1}{\"a\":2}",
        "{\"a\":1},\n{\"a\":2}\n", "{\"a\":1}\r\n{\"a\":2}\r\n", "[{\"a\":1}]\n[{\"a\":2}]",
        "\u{FEFF}{\"a\":1}\n{\"a\":2}",
        "\n\n [ {\"a\":1}\n,\t{\"a\":2} ,]", "{\n\"a\":\n1}\n{\n\"a\"\n:2\n}",
    ])
    func everyFramingIsRead(text: String) throws {
        #expect(try objects(in: text) == [["a": 1], ["a": 2]])
    }

    @Test func objectsWithinARecordAreNoRecordsEvenAtLineStarts() throws {
        let text = "[\n{\"a\":[\n{\"b\":1},\n{\"b\":2}\n],\n\"c\":\n{\"d\":3}\n},\n{\"a\":2}\n]\n"
        let expected: [JSONObject] = [["a": [["b": 1], ["b": 2]], "c": ["d": 3]], ["a": 2]]
        #expect(try objects(in: text) == expected)
    }

    @Test func linesAreCountedFromWhereARecordStarts() {
        #expect(read("\u{FEFF}\r\n\r\n{\r\n\"a\":1}\r\n {\"b\":2}") == ["3 {\"a\":1}", "5 {\"b\":2}"])
    }

    @Test func bytesCountTheMark() throws {
        let record = try #require(RecordReader.records(in: Array("\u{FEFF} {\"a\":1} ".utf8)).first)
        #expect(record.bytes == 4..<11)
    }

    @Test(arguments: ["[]", "[\n]\n", " [ ] "]) func emptyArrayHoldsNoRecord(text: String) {
        #expect(read(text) == [])
    }

    @Test(arguments: ["a\\u0000b", "\\ud83c\\udf89", "\\/", "{[\\\"]}"]) func everyEscapeIsKept(escape: String) throws {
        let text = "{\"a\":\"\(escape)\"}"
        #expect(try objects(in: text).map(JSON.object) == [try JSON(parsing: text)])
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000]) func sizeOfThePiecesDoesNotMatter(size: Int) {
        let texts =
            Samples.all + ["{\"a\":1,\n{\"b\":2}\n{\"c\":\"\n{\"d\":tru}\n[1]", "\u{FEFF}[{\"a\":1}", "  ", "x\ny"]
        for text in texts {
            let bytes = Array(text.utf8)
            var reader = RecordReader()
            var records: [Record] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(bytes[start..<min(start + size, bytes.count)])
                while let record = reader.next() { records.append(record) }
            }
            reader.finish()
            while let record = reader.next() { records.append(record) }
            #expect(reader.isDone)
            #expect(records == RecordReader.records(in: bytes))
        }
    }

    @Test func twentyThousandTasksAreRead() throws {
        let tasks = try objects(in: Samples.export)
        var writer = RecordWriter(.taskwarrior)
        var bytes: [UInt8] = []
        for index in 0..<20_000 {
            var task = tasks[index % tasks.count]
            let id = ItemID.minted(at: Timestamp(milliseconds: Int64(index)), random: (1, UInt64(index)))
            task["uuid"] = .string(id.text)
            bytes += writer.bytes(of: task)
        }
        bytes += writer.end()
        let clock = ContinuousClock()
        var records: [Record] = []
        let duration = clock.measure { records = RecordReader.records(in: bytes) }
        print("\(bytes.count) bytes in 20 000 records were read in \(duration)")
        #expect(records.count == 20_000)
        #expect(Set(records.compactMap { $0.object?["uuid"]?.string }).count == 20_000)
        #expect(records.last?.line == 20_001)
    }
}
