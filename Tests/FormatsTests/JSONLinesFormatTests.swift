import Formats
import TandemItems
import TestSupport
import Testing

@Suite("JSONLinesFormat")
struct JSONLinesFormatTests {
    private let format = ItemFormat.jsonlines

    @Test func membersAreFields() throws {
        let record: JSONObject = ["id": "a", "title": "x", "order": "b", "n": 1.5, "gone": nil, "version": 7]
        let imported = try format.fields(of: record)
        let version = try FieldName("version")
        let set: FieldMap<JSON> = [
            .title: "x", .order: "b", try FieldName("n"): 1.5, try FieldName("gone"): nil, version: 7,
        ]
        #expect(imported == ImportedRecord(id: try ItemID("a"), set: set))
    }

    @Test func idComesFirstThenFieldsByName() throws {
        var item = Item(id: try ItemID("a"))
        try item.set("z", 1)
        try item.set("order", "b")
        try item.set("gone", nil)
        try item.set("id", 2)
        let record = try #require(format.record(of: item))
        #expect(JSON.object(record).text == #"{"id":"a","fields/id":2,"order":"b","z":1}"#)
    }

    @Test func recordWithoutIDHasNone() throws {
        #expect(try format.fields(of: [:]) == ImportedRecord(id: nil, set: [:]))
    }

    @Test func deletedMeansWhatItSays() throws {
        let item = try format.item(of: ["id": "a", "deleted": true, "title": "x"])
        #expect(item.isDeleted)
        #expect(format.record(of: item) == nil)
        let back = try format.item(of: ["id": "a", "deleted": false])
        #expect(format.record(of: back) == ["id": "a", "deleted": false])
    }

    @Test(arguments: ["{\"id\":5}", "{\"id\":null}", "{\"id\":\"\"}", "{\"id\":\"a\\nb\"}", "{\"id\":\"a\",\"\":1}"])
    func nameThatBreaksARuleIsRefused(text: String) throws {
        let record = try #require(JSON(parsing: text).object)
        #expect(throws: InvalidItem.self) { try format.fields(of: record) }
    }

    @Test func randomItemsComeBackThroughAFile() throws {
        var arbitrary = Arbitrary(generator: Generator(seed: TestSeed.make()))
        let names = [
            "id", "fields/id", "fields/fields/id", "fields/x", "title", "order", "tags/a", "é", "e\u{301}", "\"", "{",
        ]
        for _ in 0..<500 {
            var items: [Item] = []
            for index in 0..<5 {
                var item = Item(id: try ItemID("item \(index)"))
                for (name, value) in arbitrary.object(names: { names.randomElement(using: &$0.generator) ?? "" })
                    .members
                {
                    try item.set(name, value)
                }
                items.append(item)
            }
            var writer = RecordWriter(format)
            var bytes: [UInt8] = []
            for item in items { bytes += writer.bytes(of: try #require(format.record(of: item))) }
            bytes += writer.end()
            #expect(try RecordReader.records(in: bytes).map { try format.item(of: $0.result.get()) } == items)
        }
    }
}

@Suite("ItemFormat")
struct ItemFormatTests {
    @Test(arguments: [
        ("{\"uuid\":\"a\"}", "x.jsonl", ItemFormat.taskwarrior),
        ("{\"id\":\"a\",\"description\":\"x\"}", "x.json", .jsonlines),
        ("{\"description\":\"a\",\"status\":\"pending\"}", "x", .taskwarrior),
        ("{\"title\":\"a\"}", "taskwarrior.json", .jsonlines),
        ("{\"description\":\"a\"}", "Taskwarrior-export.json", .taskwarrior),
        ("{\"description\":\"a\"}", "x.json", .jsonlines),
        ("{\"id\":1,\"description\":\"a\",\"entry\":\"20270101T000000Z\"}", "x", .taskwarrior), ("{}", "x", .jsonlines),
    ])
    func formatIsDetected(text: String, fileName: String, expected: ItemFormat) throws {
        let record = try #require(JSON(parsing: text).object)
        #expect(ItemFormat.detected(from: record, fileName: fileName) == expected)
    }

    @Test func emptyExportIsAsTheProgramsWriteIt() {
        #expect(String(decoding: RecordWriter(.taskwarrior).end(), as: UTF8.self) == "[\n]\n")
        #expect(RecordWriter(.jsonlines).end() == [])
    }
}
