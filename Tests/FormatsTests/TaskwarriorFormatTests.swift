import Formats
import TandemItems
import TestSupport
import Testing

@Suite("TaskwarriorFormat")
struct TaskwarriorFormatTests {
    private let format = ItemFormat.taskwarrior

    private func task(_ text: String) throws -> JSONObject {
        try #require(JSON(parsing: text).object)
    }

    @Test(arguments: Samples.all) func exportEqualsWhatWasImported(sample: String) throws {
        for task in try objects(in: sample) {
            let exported = try format.roundTrip(task)
            #expect(exported == task)
            #expect(exported.members.map(\.key) == task.members.map(\.key))
        }
    }

    @Test func fileEqualsWhatTaskwarriorWrote() throws {
        var writer = RecordWriter(format)
        let bytes =
            try objects(in: Samples.export).flatMap { writer.bytes(of: try format.roundTrip($0)) } + writer.end()
        #expect(String(decoding: bytes, as: UTF8.self) == Samples.export.replacing("\\/", with: "/"))
    }

    @Test func viewOfATaskIsRight() throws {
        let tasks = try objects(in: Samples.export)
        let first = try format.item(of: tasks[0])
        #expect(first.id.text == "884dd409-4eb2-4063-a8e1-9f48c4b493c2")
        #expect(first[.title] == "Buy milk, eggs & \"good\" bread")
        #expect(first[.isCompleted] == false)
        #expect(first.shown["tags/shop"] == true)
        #expect(first.shown["taskwarrior/id"] == 1)
        #expect(first.shown["urgency"] == 19.1)
        let unseen = ["uuid", "description", "tags", "id", "order", "deleted", "taskwarrior/tags"]
        #expect(unseen.allSatisfy { first.shown[$0] == nil })
        #expect(try format.item(of: tasks[6])[.isCompleted] == true)
        let deleted = try format.item(of: tasks[7])
        #expect(deleted.shown["status"] == "deleted")
        #expect(!deleted.isDeleted)
        #expect(deleted[.isCompleted] == false)
    }

    @Test(arguments: [
        ("pending", true, "completed"), ("pending", false, "pending"), ("completed", false, "pending"),
        ("completed", true, "completed"), ("waiting", false, "waiting"), ("waiting", true, "completed"),
        ("recurring", false, "recurring"), ("recurring", true, "completed"), ("deleted", false, "deleted"),
        ("deleted", true, "completed"), ("strange", false, "strange"), (nil, true, "completed"),
        (nil, false, "pending"),
    ])
    func statusFollowsWhatWasDoneInTandem(status: String?, isCompleted: Bool, expected: String) throws {
        var item = try format.item(of: status.map { ["status": .string($0)] } ?? [:])
        try item.set("isCompleted", .bool(isCompleted))
        let record = try #require(format.record(of: item))
        #expect(record["status"] == .string(expected))
        #expect(record["isCompleted"] == nil)
    }

    @Test(arguments: [
        "{}", "{\"uuid\":\"a\"}", "{\"tags\":[]}", "{\"tags\":[\"b\",\"a\"]}", "{\"tags\":[\"a\",\"a\"]}",
        "{\"tags\":\"a\"}",
        "{\"tags\":[\"\",\"x\"]}", "{\"tags\":[\"a\\nb\",\"a\"]}", "{\"tags\":[1,\"a\",[\"b\"]]}",
        "{\"tags\":{\"a\":1}}",
        "{\"tags\":[\"a\",\"Z\",\"é\",\"e\\u0301\"]}", "{\"description\":5,\"status\":7}", "{\"status\":\"strange\"}",
        "{\"title\":\"t\",\"description\":\"d\",\"order\":3,\"deleted\":true,\"isCompleted\":\"no\",\"id\":\"x\"}",
        "{\"tags/a\":1,\"tags\":[\"a\"],\"taskwarrior/tags\":2,\"taskwarrior/id\":3,\"id\":4,\"fields/id\":5}",
        "{\"tandem/id\":1,\"tandem/tandem/uuid\":2,\"tandem/x\":3,\"taskwarrior/taskwarrior/title\":4,\"taskwarrior/x\":5}",
    ])
    func awkwardTaskComesBack(text: String) throws {
        var task = try task(text)
        task["uuid"] = task["uuid"] ?? "minted"
        let exported = try format.roundTrip(task)
        #expect(exported == task, "\(JSON.object(exported).text)")
        #expect(try format.item(of: task).isDeleted == false)
    }

    @Test func tagThatIsTooLongForAFieldIsKept() throws {
        let long = JSON.string(String(repeating: "x", count: 124))
        var item = try format.item(of: ["tags": [long, "a"]])
        #expect(try #require(format.record(of: item))["tags"] == [long, "a"])
        try item.set("tags/a", nil)
        try item.set("tags/b", true)
        #expect(try #require(format.record(of: item))["tags"] == [long, "b"])
    }

    @Test func tagsOfTwoSidesMerge() throws {
        var item = try format.item(of: ["tags": ["b", "a"]])
        try item.set("tags/c", true)
        try item.set("tags/0", true)
        #expect(try #require(format.record(of: item))["tags"] == ["b", "a", "0", "c"])
        try item.set("tags/b", nil)
        try item.set("tags/c", false)
        #expect(try #require(format.record(of: item))["tags"] == ["a", "0"])
    }

    @Test func lastTagRemovedLeavesNoMember() throws {
        var item = try format.item(of: ["tags": ["a"]])
        try item.set("tags/a", nil)
        #expect(try #require(format.record(of: item))["tags"] == nil)
    }

    @Test func recordWithoutUUIDHasNoID() throws {
        let imported = try format.fields(of: ["description": "x"])
        #expect(imported == ImportedRecord(id: nil, set: [.title: "x"]))
    }

    @Test(arguments: ["{\"uuid\":5}", "{\"uuid\":\"\"}", "{\"uuid\":null}", "{\"a\\u0000\":1}", "{\"\":1}"])
    func nameThatBreaksARuleIsRefused(text: String) throws {
        let task = try task(text)
        #expect(throws: InvalidItem.self) { try format.fields(of: task) }
    }

    @Test func orderAndDeletionAreTandemsOwn() throws {
        var item = try format.item(of: ["description": "x"])
        try item.set("order", "abc")
        try item.set("deleted", false)
        #expect(format.record(of: item) == ["uuid": "minted", "description": "x"])
        try item.set("deleted", true)
        #expect(format.record(of: item) == nil)
    }

    @Test func fieldsOfTandemSurviveTheWayThroughTaskwarrior() throws {
        var item = Item(id: try ItemID("x"))
        for (index, name) in ["id", "uuid", "description", "tags", "tandem/id", "title", "tags/a", "status"]
            .enumerated()
        {
            try item.set(name, name == "tags/a" ? true : .int(Int64(index)))
        }
        let record = try #require(format.record(of: item))
        #expect(record["uuid"] == "x")
        var shown = try format.item(of: record).shown
        shown["isCompleted"] = nil
        #expect(shown == item.shown)
    }

    @Test func randomTasksComeBack() throws {
        var arbitrary = Arbitrary(generator: Generator(seed: TestSeed.make()))
        let names = [
            "id", "title", "description", "status", "tags", "tags/a", "order", "deleted", "isCompleted", "urgency", "x",
            "taskwarrior/id", "taskwarrior/tags", "tandem/id", "tandem/uuid", "taskwarrior/taskwarrior/id", "e\u{301}",
            "é",
        ]
        for _ in 0..<2_000 {
            var task = arbitrary.object { names.randomElement(using: &$0.generator) ?? "" }
            if Bool.random(using: &arbitrary.generator) {
                task["tags"] = .array((0..<3).map { _ in .string(arbitrary.text()) })
            }
            task["uuid"] = "some"
            #expect(try format.roundTrip(task) == task)
        }
    }
}
