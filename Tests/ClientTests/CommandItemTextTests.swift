@testable import ClientCommand
import Platform
import TandemClient
import Testing

@Suite("ItemTable")
struct CommandItemTableTests {
    private func items() throws -> [Item] {
        let due = try FieldName("due")
        let home = try FieldName("tags/home")
        let shop = try FieldName("tags/shop")
        let first = Sample.item(
            try Sample.id("75aa"),
            [.title: "Buy milk", .isCompleted: false, home: true, shop: true, due: "2026-12-24"],
            pending: [due])
        var second = Sample.item(try Sample.id("13aa"), [.title: "Ring \u{1B}[31mAnn\n", .isCompleted: true])
        second.conflicts = [Sample.conflict("c1", .title, "Call Ann")]
        let third = Sample.item(try ItemID("own-id"), [.title: "牛乳を買う", .isCompleted: false])
        return [first, second, third]
    }

    @Test func rowsAlignAndNameTheirState() throws {
        let table = ItemTable(list: Sample.list(), items: try items(), screen: .forTests)
        #expect(
            table.text == #"""
                ID           TITLE             TAGS       DUE         STATE
                75aa    [ ]  Buy milk          home shop  2026-12-24  pending
                13aa    [x]  Ring \e[31mAnn\n                         conflict
                own-id  [ ]  牛乳を買う

                """#)
        #expect(table.summary == "3 items, 1 done, 1 pending, 1 in conflict (tandem conflicts)")
    }

    @Test func wholeIDsAreShownOnRequest() throws {
        let table = ItemTable(list: Sample.list(), items: try items(), screen: .forTests, isLong: true)
        #expect(table.text.contains("\n01a22ceb-d592-799e-8f7f-5086e10075aa  [ ]  Buy mi"))
    }

    @Test func nothingIsPendingWhereTheHubHasNoSuchList() throws {
        let table = ItemTable(list: Sample.list(role: nil, items: 5), items: try items(), screen: .forTests)
        #expect(!table.text.contains("pending"))
        #expect(table.summary == "3 of 5 items, 1 done, 1 in conflict (tandem conflicts), only on this machine")
    }

    @Test func otherKindsShowTheirMostCommonFields() throws {
        let (name, phone, city) = (try FieldName("name"), try FieldName("phone"), try FieldName("city"))
        let items = [
            Sample.item(try Sample.id("0001"), [name: "Ann", phone: "1", city: "Oslo", .order: "k"]),
            Sample.item(try Sample.id("0002"), [name: "Bob", phone: "2", try FieldName("notes"): ["a", "b"]]),
        ]
        let list = Sample.list(try ListName("friends"), kind: ListKind("contact"), items: 2)
        let table = ItemTable(list: list, items: items, screen: .forTests)
        #expect(
            table.text == """
                ID    NAME  CITY  PHONE
                0001  Ann   Oslo  1
                0002  Bob         2

                """)
        #expect(table.summary == "2 items")
    }

    @Test func fieldsThatAreAskedForAreShown() throws {
        let item = Sample.item(try Sample.id("0001"), [.title: "A", try FieldName("points"): 3])
        let table = ItemTable(
            list: Sample.list(items: 1), items: [item], screen: .forTests,
            fields: [try FieldName("points"), try FieldName("absent")])
        #expect(table.text == "ID         TITLE  POINTS\n0001  [ ]  A      3\n")
    }

    @Test func longTitlesAreCutOnTerminalsOnly() throws {
        let title = String(repeating: "long ", count: 40)
        let items = [Sample.item(try Sample.id("0001"), [.title: .string(title)])]
        let list = Sample.list(items: 1)
        let narrow = ItemTable(list: list, items: items, screen: .forTests).text
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 80 } && narrow.contains("…"))
        let whole = ItemTable(list: list, items: items, screen: Screen(terminal: .plain, now: testNow)).text
        #expect(whole.contains(title))
    }
}

@Suite("ShortIDs")
struct CommandShortIDTests {
    @Test func mintedIDsAreCutToTheirUniqueEnds() throws {
        let ids = try ["a1111", "b1111", "2222", "0333"].map { try Sample.id($0) }
        let short = ShortIDs(ids)
        #expect(ids.map { short[$0] } == ["a1111", "b1111", "2222", "0333"])
    }

    @Test func endThatBeginsAnotherIDIsTooShort() throws {
        let minted = try Sample.id("0001a2")
        #expect(ShortIDs([minted, try ItemID("01a2-other")])[minted] == "001a2")
    }

    @Test func otherIDsAreWholeOrCutToTheirUniqueBeginnings() throws {
        let ids = try ["buy-milk", "uid-000000000000000001@example", "uid-000000000000000002@example"].map(ItemID.init)
        let short = ShortIDs(ids)
        #expect(ids.map { short[$0] } == ["buy-milk", "uid-000000000000000001", "uid-000000000000000002"])
    }

    @Test func manyIDsStayUnique() throws {
        let random = SeededRandom(seed: 7)
        let ids = (0..<2_000).map { _ in
            ItemID.minted(at: Timestamp(milliseconds: testNow), random: (random.next(), random.next()))
        }
        let short = ShortIDs(ids)
        let ends = ids.map { short[$0] }
        #expect(Set(ends).count == ids.count)
        #expect(zip(ids, ends).allSatisfy { $0.text.hasSuffix($1) && $1.count >= 4 })
    }

    @Test func randomTextsAreCutToTheirUniqueBeginnings() {
        let short = ShortTexts(["a0df1234", "a0d0ffff", "b1", "a0df1234-1"])
        #expect(
            ["a0df1234", "a0d0ffff", "b1", "a0df1234-1"].map { short[$0] } == ["a0df1234", "a0d0", "b1", "a0df1234-"])
    }
}
