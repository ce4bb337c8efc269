import Testing

@testable import TandemItems

/// Names are what their bytes say, within limits.
@Suite struct IdentifierTests {
    private static let controls = ["\0", "\n", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}"]
    private static let odd = [
        "a", " ", "é", "e\u{301}", "../x", "a/b", "\u{A0}", "\u{FEFF}", "\u{2028}", "🎉", "deleted",
    ]

    private typealias Make = @Sendable (String) throws(InvalidItem) -> any ByteText
    private static let names: [(InvalidItem.Code, Int, Make)] = [
        (.identifier, 128, { text throws(InvalidItem) in try ItemID(text) }),
        (.fieldName, 128, { text throws(InvalidItem) in try FieldName(text) }),
        (.replica, 64, { text throws(InvalidItem) in try ReplicaID(text) }),
        (.replica, 64, { text throws(InvalidItem) in try Nonce(text) }),
    ]

    @Test func lengthIsCountedInBytes() throws {
        for (code, limit, make) in Self.names {
            for text in [String(repeating: "a", count: limit), String(repeating: "é", count: limit / 2)] {
                #expect(try make(text).text == text)
                let error = #expect(throws: InvalidItem.self) { try make(text + "a") }
                #expect(error?.code == code)
            }
            #expect(throws: InvalidItem.self) { try make("") }
        }
    }

    @Test func controlCharactersAreRefused() {
        for (code, _, make) in Self.names {
            for control in Self.controls {
                let error = #expect(throws: InvalidItem.self) { try make("a" + control) }
                #expect(error?.code == code)
            }
        }
    }

    @Test func anyOtherTextIsKeptAsItIs() throws {
        for (_, _, make) in Self.names {
            for text in Self.odd { #expect(try Array(make(text).text.utf8) == Array(text.utf8)) }
        }
    }

    @Test(arguments: ["a", "Z", "0", "a-b_c.d", "todo", "-", "_", String(repeating: "x", count: 64)])
    func plainListNameIsTaken(_ text: String) throws {
        #expect(try ListName(text).text == text)
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "a b", "a/b", "é", "a\0", "a\n", "a%20", "~", "K\u{212A}",
        String(repeating: "x", count: 65),
    ])
    func otherListNameIsRefused(_ text: String) {
        let error = #expect(throws: InvalidItem.self) { try ListName(text) }
        #expect(error?.code == .listName)
    }

    @Test func namesAreComparedByBytes() throws {
        let composed: ItemID = "\u{E9}"
        let decomposed: ItemID = "e\u{301}"
        #expect(composed.text == decomposed.text, "canonically equivalent")
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(Set([composed, decomposed, "\u{E9}", "e\u{301}"]).count == 2)
        #expect(ItemID("a") < "aa" && ItemID("Z") < "a" && ItemID("10") < "9" && ItemID("\u{E000}") < "🎉")
        #expect(!(ItemID("a") < "a"))
    }

    @Test func sortingIsThatOfTheBytes() throws {
        var random = SeededRandom(seed: SeededRandom.seed)
        let letters = ["a", "b", "~", "!", "\u{E9}", "e\u{301}", "🎉", "\u{E000}", "K", "\u{212A}"]
        let texts = (0..<300).map { _ in (0...random.below(4)).map { _ in random.pick(letters) }.joined() }
        let byType = try texts.map { try ItemID($0) }.sorted().map { Array($0.text.utf8) }
        #expect(byType == texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        let distinct = Set(texts.map { Array($0.utf8) }).count
        #expect(try Set(texts.map { try FieldName($0) }).count == distinct)
    }

    @Test func onlyOrderIsQuiet() {
        #expect(FieldName.order.isQuiet && FieldName("order").isQuiet)
        #expect([FieldName.deleted, .title, .isCompleted, "Order", "order "].allSatisfy { !$0.isQuiet })
    }

    @Test func conflictIsNamedByItsMutation() {
        #expect(ConflictID(openedBy: "n", index: 0).text == "n")
        #expect(ConflictID(openedBy: "n", index: 2).text == "n-2")
    }
}

/// RFC 9562, section 5.7.
@Suite struct MintedIDTests {
    @Test func mintedIDHasTheFormOfVersion7() {
        let id = ItemID.minted(at: Timestamp(milliseconds: 0x0190_ABCD_1234), random: (.max, .max))
        #expect(id.text == "0190abcd-1234-7fff-bfff-ffffffffffff")
        let lowest = ItemID.minted(at: 0, random: (0, 0))
        #expect(lowest.text == "00000000-0000-7000-8000-000000000000")
    }

    @Test func mintedIDIsAlwaysOfItsForm() {
        var random = SeededRandom(seed: SeededRandom.seed)
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<200 {
            let id = ItemID.minted(
                at: Timestamp(milliseconds: Int64(random.next() >> 17)), random: (random.next(), random.next()))
            #expect(id.text.wholeMatch(of: form) != nil)
        }
    }

    @Test func laterIDSortsLater() {
        var random = SeededRandom(seed: SeededRandom.seed)
        var last = ItemID.minted(at: 0, random: (.max, .max))
        var time: Int64 = 0
        for _ in 0..<200 {
            time += 1 + Int64(random.below(1 << 30))
            let id = ItemID.minted(at: Timestamp(milliseconds: time), random: (random.next(), random.next()))
            #expect(last < id)
            last = id
        }
    }

    @Test func idsOfOneInstantDiffer() {
        var random = SeededRandom(seed: 1)
        let ids = (0..<1_000).map { _ in ItemID.minted(at: 1, random: (random.next(), random.next())) }
        #expect(Set(ids).count == ids.count)
    }
}
