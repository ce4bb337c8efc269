import Testing

@testable import TandemItems

@Suite struct MutationJSONTests {
    private static let form =
        #"{"replica":"r","n":3,"nonce":"q","item":"i","base":2,"at":-5,"set":{"x":null,"y":[1.0]},"inc":{"c":-1}}"#

    @Test func formIsThatOfTheWire() throws {
        let mutation = Mutation(
            replica: "r", n: 3, nonce: "q", item: "i", base: 2, set: ["y": [1.0], "x": nil], increments: ["c": -1],
            at: -5)
        #expect(mutation.json.text == Self.form)
        #expect(try Mutation(json: JSON(parsing: Self.form)) == mutation)
    }

    @Test func emptyPartsAreLeftOut() throws {
        let set = Mutation(replica: "r", n: 1, nonce: "q", item: "i", base: 0, set: ["x": 1], at: 0)
        let counted = Mutation(replica: "r", n: 1, nonce: "q", item: "i", base: 0, increments: ["x": 0], at: 0)
        #expect(set.json.object?["inc"] == nil)
        #expect(counted.json.object?["set"] == nil)
        #expect(try Mutation(json: set.json) == set)
        #expect(try Mutation(json: counted.json) == counted)
    }

    @Test func unknownMembersArePassedOn() throws {
        var mutation = try Mutation(json: JSON(parsing: Self.form))
        mutation.unknown = ["reason": "typed", "more": [1]]
        #expect(try Mutation(json: JSON(parsing: mutation.json.encoded())) == mutation)
        #expect(mutation.json.text.hasSuffix(#","reason":"typed","more":[1]}"#))
    }

    @Test func setMayHoldAnyFieldAndReservedOnesOfTheirType() throws {
        for set in [#"{"deleted":true}"#, #"{"deleted":false}"#, #"{"order":"a"}"#, #"{"order":null}"#, #"{" ":{}}"#] {
            #expect(throws: Never.self) { try Mutation(json: Self.mutation(set: set)) }
        }
    }

    private static func mutation(set: String? = nil, inc: String? = nil) throws -> JSON {
        let parts = [set.map { #""set":\#($0)"# }, inc.map { #""inc":\#($0)"# }].compactMap(\.self)
        let head = #""replica":"r","n":1,"nonce":"q","item":"i","base":0,"at":0"#
        return try JSON(parsing: "{" + ([head] + parts).joined(separator: ",") + "}")
    }

    @Test(
        arguments: [
            ("replica", nil, .shape), ("replica", 1, .shape), ("replica", "", .replica), ("nonce", nil, .shape),
            ("nonce", "", .replica), ("item", nil, .shape), ("item", "", .identifier), ("item", "a\n", .identifier),
            ("n", nil, .shape), ("n", 0, .shape), ("n", -1, .shape), ("n", 1.0, .shape), ("n", "1", .shape),
            ("base", nil, .shape), ("base", -1, .shape), ("at", nil, .shape), ("at", "now", .shape),
            ("set", [], .shape), ("set", nil, .shape), ("set", ["": 1], .fieldName), ("set", ["a\0": 1], .fieldName),
            ("set", ["deleted": 1], .shape), ("set", ["deleted": nil], .shape), ("set", ["order": 1], .shape),
            ("inc", [], .shape), ("inc", ["x": 1.0], .shape), ("inc", ["x": "1"], .shape), ("inc", ["x": nil], .shape),
            ("inc", ["": 1], .fieldName), ("inc", ["y": 1], .shape), ("inc", ["order": 1], .shape),
            ("inc", ["deleted": 1], .shape),
        ] as [(String, JSON?, InvalidItem.Code)])
    func malformedMutationIsRefused(_ key: String, _ value: JSON?, _ code: InvalidItem.Code) throws {
        var object = try Self.mutation(set: #"{"y":1}"#).members("a mutation")
        object[key] = value
        let error = #expect(throws: InvalidItem.self) { try Mutation(json: .object(object)) }
        #expect(error?.code == code)
    }

    @Test func mutationThatChangesNothingIsRefused() throws {
        for json in [try Self.mutation(), try Self.mutation(set: "{}", inc: "{}"), [], "text"] {
            #expect(throws: InvalidItem.self) { try Mutation(json: json) }
        }
    }

    @Test func amountKeepsSixtyFourBits() throws {
        let mutation = try Mutation(json: Self.mutation(inc: #"{"a":9223372036854775807,"b":-9223372036854775808}"#))
        #expect(mutation.increments["a"] == .max)
        #expect(mutation.increments["b"] == .min)
    }
}
