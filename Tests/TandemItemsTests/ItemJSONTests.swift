import Testing

@testable import TandemItems

@Suite struct ItemJSONTests {
    private static let origin = Origin(version: 7, replica: "r", n: 3, at: 1_000)

    private static func item(_ fields: FieldMap<Field>, conflicts: [Conflict] = [], unknown: JSONObject = [:]) -> Item {
        var item = Item(id: "i")
        item.version = 7
        item.fields = fields
        item.conflicts = conflicts
        item.unknown = unknown
        return item
    }

    @Test func formIsThatOfTheWire() {
        var blended = Self.origin
        blended.blend = 5
        let conflict = Conflict(id: ConflictID("c"), field: "x", value: 2, origin: blended, opened: 6)
        let item = Self.item(["x": Field(1, Self.origin), "y": Field(nil, Self.origin)], conflicts: [conflict])
        #expect(
            item.json.text == #"{"id":"i","version":7,"fields":{"x":1,"y":null},"#
                + #""origins":[{"version":7,"replica":"r","n":3,"at":1000}],"#
                + #""conflicts":[{"id":"c","field":"x","value":2,"opened":6,"#
                + #""version":7,"replica":"r","n":3,"at":1000,"blend":5}]}"#)
    }

    @Test func fieldsWrittenTogetherShareAnOrigin() throws {
        var other = Self.origin
        other.n = 4
        let item = Self.item(["a": Field(1, Self.origin), "b": Field(2, other), "c": Field(3, Self.origin)])
        let origins = item.json.object?["origins"]?.array ?? []
        #expect(origins.map { $0.object?["fields"] } == [["a", "c"], ["b"]])
        #expect(try Item(json: item.json) == item)
    }

    @Test func blendKeepsOriginsApart() throws {
        var blended = Self.origin
        blended.blend = 6
        let item = Self.item(["a": Field(1, Self.origin), "b": Field(2, blended)])
        #expect(item.json.object?["origins"]?.array?.count == 2)
        #expect(try Item(json: item.json) == item)
        #expect(try Item(json: item.json).fields["b"]?.origin.isBlended == true)
    }

    @Test func emptyItemSurvives() throws {
        #expect(try Item(json: Item(id: "i").json) == Item(id: "i"))
        #expect(try Item(json: ["id": "i", "version": 0]) == Item(id: "i"))
    }

    @Test func unknownMembersArePassedOn() throws {
        let item = Self.item(["x": Field(1, Self.origin)], unknown: ["new": ["a": 1], "x2": nil])
        let read = try Item(json: JSON(parsing: item.json.encoded()))
        #expect(read == item)
        #expect(read.json.text == item.json.text)
        #expect(read.json.text.hasSuffix(#","new":{"a":1},"x2":null}"#))
    }

    @Test func anyItemSurvives() throws {
        let names: [FieldName] = ["x", "y", "\u{E9}", "e\u{301}", "deleted", "order"]
        for number in 0..<500 {
            let seed = SeededRandom.seed &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            var item = Self.item([:])
            for _ in 0..<random.below(6) {
                var origin = Self.origin
                origin.n = Int64(1 + random.below(3))
                origin.blend = random.pick([0, 0, 5])
                item.fields[random.pick(names)] = Field(.int(Int64(random.below(3))), origin)
                if random.chance(30) {
                    let id = ConflictID("c\(item.conflicts.count)")
                    item.conflicts.append(
                        Conflict(id: id, field: random.pick(names), value: nil, origin: origin, opened: 7))
                }
            }
            let read = try Item(json: JSON(parsing: item.json.encoded()))
            #expect(read == item, "TANDEM_SEED=\(seed)")
        }
    }

    private static let malformed: [(String, InvalidItem.Code)] = [
        ("[]", .shape), ("{}", .shape), (#"{"id":1,"version":1}"#, .shape), (#"{"id":"","version":1}"#, .identifier),
        (#"{"id":"a\u0000","version":1}"#, .identifier), (#"{"id":"i"}"#, .shape),
        (#"{"id":"i","version":1.0}"#, .shape),
        (#"{"id":"i","version":"1"}"#, .shape), (#"{"id":"i","version":1,"fields":[]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1}}"#, .shape), (#"{"id":"i","version":1,"origins":{}}"#, .shape),
        (#"{"id":"i","version":1,"origins":[1]}"#, .shape), (#"{"id":"i","version":1,"origins":[{}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"":1},"origins":[O]}"#, .fieldName),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[O,O]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"fields":["y"],P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1,"y":1},"origins":[{"fields":["y"],P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"fields":["x","x"],P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"fields":"x",P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"fields":[1],P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"blend":true,P}]}"#, .shape),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"version":1,"replica":"","n":1,"at":1}]}"#, .replica),
        (#"{"id":"i","version":1,"fields":{"x":1},"origins":[{"version":1,"replica":"r","n":1}]}"#, .shape),
        (#"{"id":"i","version":1,"conflicts":{}}"#, .shape), (#"{"id":"i","version":1,"conflicts":[1]}"#, .shape),
        (#"{"id":"i","version":1,"conflicts":[{"id":"c","field":"","value":1,"opened":1,P}]}"#, .fieldName),
        (#"{"id":"i","version":1,"conflicts":[{"id":"c","field":"x","value":1,P}]}"#, .shape),
        (#"{"id":"i","version":1,"conflicts":[{"field":"x","value":1,"opened":1,P}]}"#, .shape),
    ]

    @Test(arguments: malformed)
    func malformedItemIsRefused(_ text: String, _ code: InvalidItem.Code) throws {
        let origin = #""version":1,"replica":"r","n":1,"at":1"#
        let json = try JSON(parsing: text.replacing("O", with: "{\(origin)}").replacing("P", with: origin))
        let error = #expect(throws: InvalidItem.self) { try Item(json: json) }
        #expect(error?.code == code)
    }
}
