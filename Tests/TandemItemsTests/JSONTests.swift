import Testing

@testable import TandemItems

@Suite struct JSONTests {
    @Test(
        arguments: [
            (1, 1.0), (0.0, .double(-0.0)), ("\u{E9}", "e\u{301}"), ("1", 1), (nil, false), ([1, 2], [2, 1]),
            (["\u{E9}": 1], ["e\u{301}": 1]), (["a": 1], ["a": 1, "b": nil]), (["a": 1], ["a": 1.0]), ([], [:]),
            ("\u{212A}", "K"),
        ] as [(JSON, JSON)])
    func valuesWithOtherBytesAreDifferent(_ left: JSON, _ right: JSON) {
        #expect(left != right)
        #expect(left.encoded(canonical: true) != right.encoded(canonical: true))
    }

    @Test func equalityAndHashIgnoreMemberOrder() {
        let left: JSON = ["a": [1, ["x": 1, "y": 2]], "b": nil]
        let right: JSON = ["b": nil, "a": [1, ["y": 2, "x": 1]]]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left.object?.hashValue == right.object?.hashValue)
        #expect(left.text != right.text)
    }

    @Test func memberOrderIsKept() throws {
        let text = #"{"z":1,"a":{"c":1,"b":2},"é":3,"":4}"#
        #expect(try JSON(parsing: text).text == text)
    }

    @Test func canonicalFormIsSortedByBytesAtEveryDepth() throws {
        // U+E000 has fewer bytes than the emoji, though its UTF-16 form sorts behind.
        let value = try JSON(
            parsing: #"{"b":1, "🎉":5, "\uE000":6, "é":{"d":1, "c":[{"y":0,"x":0}]}, "B":2, "":3, "~":4}"#)
        let canonical = String(decoding: value.encoded(canonical: true), as: UTF8.self)
        #expect(
            canonical
                == #"{"":3,"B":2,"b":1,"~":4,"é":{"c":[{"x":0,"y":0}],"d":1},""# + "\u{E000}" + #"":6,"🎉":5}"#)
    }

    @Test func onlyWhatMustBeIsEscaped() {
        let text: JSON = "\u{0}\u{1F}\"\\/\n\r\t\u{8}\u{C}\u{7F}é\u{2028}🎉"
        #expect(text.text == #""\u0000\u001f\"\\/\n\r\t\u0008\u000c"# + "\u{7F}é\u{2028}🎉\"")
    }

    @Test(
        arguments: [
            (.int(.min), "-9223372036854775808"), (1.0, "1.0"), (.double(-0.0), "-0.0"), (1e100, "1e+100"),
            (0.1, "0.1"), (.double(.leastNonzeroMagnitude), "5e-324"), (1e16, "1e+16"), (1e-5, "1e-05"),
        ] as [(JSON, String)])
    func numbersAreWrittenShort(_ value: JSON, _ text: String) throws {
        #expect(value.text == text)
        #expect(try JSON(parsing: text) == value)
    }

    @Test func memberKeepsItsPlaceWhenSet() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = nil
        object["a"] = 4
        object["d"] = nil
        object["e"] = 5
        #expect(JSON.object(object).text == #"{"a":4,"c":3,"e":5}"#)
        #expect(JSON.object(object.without(["a", "e"])).text == #"{"c":3}"#)
        #expect(object.without(["a", "c", "e"]).isEmpty)
        #expect(JSONObject([("a", 1), ("b", 2), ("a", 3)]) == ["b": 2, "a": 3])
    }

    /// An export of Taskwarrior 2.6, line by line.
    private static let taskwarrior = [
        #"{"id":1,"description":"Buy milk, eggs & \"good\" bread","due":"20270115T000000Z","entry":"20261130T092222Z","modified":"20261130T092222Z","priority":"H","project":"home.shop","status":"pending","uuid":"884dd409-4eb2-4063-a8e1-9f48c4b493c2","annotations":[{"entry":"20261130T092222Z","description":"ask Anna: which shop?"},{"entry":"20261130T092223Z","description":"see https:\/\/example.com\/a?b=c"}],"tags":["shop"],"urgency":19.1}"#,
        #"{"id":2,"client":"Ö & Söhne","description":"Überweisung Miete → Konto 42","due":"20261130T235959Z","entry":"20261130T092222Z","estimate":2.5,"modified":"20261130T092222Z","project":"Haus","start":"20261130T092222Z","status":"pending","uuid":"ab1c634b-ecc7-4f34-b26d-774804ad865c","urgency":13.5214}"#,
        #"{"id":3,"description":"Write report","entry":"20261130T092222Z","modified":"20261130T092222Z","scheduled":"20270110T000000Z","status":"pending","uuid":"b159ea67-a5ec-4eb7-af0b-1a7e987f5623","wait":"20270105T000000Z","tags":["work"],"depends":["884dd409-4eb2-4063-a8e1-9f48c4b493c2"],"urgency":-7.2}"#,
        #"{"id":4,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","mask":"-","modified":"20261130T092222Z","recur":"weekly","rtype":"periodic","status":"recurring","until":"20280101T000000Z","uuid":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","urgency":2.4}"#,
        #"{"id":5,"description":"Emoji 🎉 and a very long line with a backslash \\ and a slash \/ here","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"pending","uuid":"8db43487-fdfd-4806-a3dc-dcc3c4906e7b","urgency":0}"#,
        #"{"id":6,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","imask":0,"modified":"20261130T092222Z","parent":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","recur":"weekly","rtype":"periodic","status":"pending","until":"20280101T000000Z","uuid":"4516a8d5-8a20-454f-a9eb-59017710eb9c","urgency":2.4}"#,
        #"{"id":0,"description":"Old thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"completed","uuid":"04db3f12-c2ae-421b-96a8-baf66338a897","urgency":0}"#,
        #"{"id":0,"description":"Wrong thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"deleted","uuid":"edce3042-e590-41d4-a160-c5ee549c8bd2","urgency":0}"#,
    ]

    @Test(arguments: taskwarrior)
    func exportOfAnotherProgramSurvives(_ line: String) throws {
        let value = try JSON(parsing: line)
        #expect(value.text == line.replacing(#"\/"#, with: "/"))
        #expect(try JSON(parsing: value.encoded(canonical: true)) == value)
    }

    @Test func exportIsReadWhole() throws {
        let all = try JSON(parsing: "[\n" + Self.taskwarrior.joined(separator: ",\n") + "\n]\n")
        #expect(all.array?.count == 8)
        #expect(all.array?.first?.object?["urgency"] == 19.1)
        #expect(all.array?.last?.object?["urgency"] == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func anyValueSurvives() throws {
        for number in 0..<2_000 {
            let seed = SeededRandom.seed &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            let value = JSON.any(depth: 4, &random)
            let read = try JSON(parsing: value.encoded())
            let sorted = try JSON(parsing: value.encoded(canonical: true))
            let isSame =
                read == value && read.hashValue == value.hashValue && sorted == value
                && read.encoded() == value.encoded()
            #expect(isSame, "TANDEM_SEED=\(seed): \(value.text)")
        }
    }
}

extension JSON {
    /// Any value that JSON can hold.
    fileprivate static func any(depth: Int, _ random: inout SeededRandom) -> JSON {
        switch random.below(depth > 0 ? 9 : 6) {
        case 0: .null
        case 1: .bool(random.chance(50))
        case 2: .int(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))
        case 3: finite(&random)
        case 4, 5: .string(.any(&random))
        case 6: .array((0..<random.below(4)).map { _ in any(depth: depth - 1, &random) })
        default: .object(JSONObject((0..<random.below(4)).map { _ in (.any(&random), any(depth: depth - 1, &random)) }))
        }
    }

    private static func finite(_ random: inout SeededRandom) -> JSON {
        let value = Double(bitPattern: random.next())
        return .double(value.isFinite ? value : 0)
    }
}

extension String {
    private static let scalars = [
        "\0", "\u{1F}", "\"", "\\", "/", "a", "e", "\u{301}", "\u{E9}", "\u{FEFF}", "\u{FFFF}", "🎉", "\r", "\n",
    ]

    /// A text of characters that are often got wrong.
    fileprivate static func any(_ random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<random.below(8) { text += random.pick(scalars) }
        return text
    }
}
