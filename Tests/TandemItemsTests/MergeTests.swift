import Testing

@testable import TandemItems

@Suite struct MergeTests {
    private let desk = MergeDesk()

    init() throws { try desk.apply("A", base: 0, set: ["x": 1, "y": 1]) }

    // Different fields, same field

    @Test func differentFieldsBothStay() throws {
        try desk.apply("A", base: 1, set: ["x": 2])
        try desk.apply("B", base: 1, set: ["y": 3])
        #expect(desk.value("x") == 2 && desk.value("y") == 3 && desk.open == [])
    }

    @Test(arguments: [(10, 20, 3), (20, 10, 2)] as [(Timestamp, Timestamp, JSON)])
    func laterValueIsShownAndTheOtherKept(_ first: Timestamp, _ second: Timestamp, _ shown: JSON) throws {
        try desk.apply("A", base: 1, at: first, set: ["x": 2])
        let result = try desk.apply("B", base: 1, at: second, set: ["x": 3])
        #expect(desk.value("x") == shown)
        #expect(desk.open == [shown == 3 ? "x=2 by A" : "x=3 by B"])
        #expect(result.opened == desk.conflicts && result.closed == [])
        #expect(desk.conflicts.first?.opened == 3)
        #expect(desk.conflicts.first?.id == ConflictID("B1"))
        #expect(desk.conflicts.first?.origin.version == (shown == 3 ? 2 : 3))
    }

    @Test func tieGoesToTheGreaterReplicaID() throws {
        try desk.apply("B", base: 1, at: 5, set: ["x": 2])
        try desk.apply("A", base: 1, at: 5, set: ["x": 3])
        #expect(desk.value("x") == 2 && desk.open == ["x=3 by A"])
    }

    @Test func valueThatWasSeenIsReplacedWhateverTheClocksSay() throws {
        try desk.apply("A", base: 1, at: 1_000_000, set: ["x": 2])
        try desk.apply("B", base: 2, at: -1_000_000, set: ["x": 3])
        #expect(desk.value("x") == 3 && desk.open == [])
    }

    @Test func ownEarlierMutationIsSeenUnderAnyBase() throws {
        try desk.apply("B", base: 1, at: 9, set: ["x": 2])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        #expect(desk.value("x") == 3 && desk.open == [])
    }

    @Test func equalValuesAreNoConflict() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": ["a": 1, "b": 2]])
        let result = try desk.apply("B", base: 1, at: 9, set: ["x": ["b": 2, "a": 1]])
        #expect(desk.open == [])
        #expect(result.item.fields["x"]?.origin.replica == "A", "the first to say it keeps it")
        #expect(result.item.version == 3)
    }

    @Test func likeLookingValuesAreAConflict() throws {
        try desk.apply("A", base: 1, set: ["x": "\u{E9}", "y": 1.0])
        try desk.apply("B", base: 1, set: ["x": "e\u{301}", "y": 2])
        #expect(desk.conflicts.count == 2)
        #expect(Set(desk.conflicts.map(\.id)) == [ConflictID("B1"), ConflictID("B1-1")])
    }

    @Test func removalIsAValueLikeAnother() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": nil])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        #expect(desk.value("x") == nil && desk.open == ["x=3 by B"])
        #expect(desk.item?.fields["x"] != nil, "a removed field stays as null")
    }

    @Test func importingAgainChangesNothing() throws {
        let result = try desk.apply("B", base: 0, at: 99, set: ["x": 1, "y": 1])
        #expect(result.item.fields["x"]?.origin.version == 1)
        #expect(result.opened == [] && desk.value("x") == 1 && desk.value("y") == 1)
    }

    @Test func importingOtherValuesMergesByField() throws {
        try desk.apply("B", base: 0, at: 99, set: ["x": 1, "y": 2, "z": 3])
        #expect(desk.value("x") == 1 && desk.value("y") == 2 && desk.value("z") == 3)
        #expect(desk.open == ["y=1 by A"])
    }

    // Order

    @Test func reorderOnTwoSidesIsQuiet() throws {
        try desk.apply("A", base: 1, at: 9, set: [.order: "m"])
        try desk.apply("B", base: 1, at: 5, set: [.order: "k"])
        #expect(desk.value(.order) == "m" && desk.open == [])
        try desk.apply("C", base: 1, at: 10, set: [.order: "p"])
        #expect(desk.value(.order) == "p" && desk.open == [])
    }

    @Test func reorderNeitherRevivesNorKeepsADeletedItem() throws {
        try desk.apply("B", base: 1, set: [.order: "k"])
        try desk.apply("A", base: 1, set: [.deleted: true])
        #expect(desk.item?.isDeleted == true && desk.open == [])
        try desk.apply("C", base: 1, set: [.order: "m"])
        #expect(desk.item?.isDeleted == true && desk.open == [])
    }

    // Deletes

    @Test func editOfAnItemDeletedUnseenBringsItBack() throws {
        try desk.apply("A", base: 1, set: [.deleted: true])
        let result = try desk.apply("B", base: 1, set: ["x": 2])
        #expect(desk.item?.isDeleted == false && desk.value("x") == 2)
        #expect(desk.open == ["deleted=true by A"] && result.opened.count == 1)
    }

    @Test func incrementOfAnItemDeletedUnseenBringsItBack() throws {
        try desk.apply("A", base: 1, set: [.deleted: true])
        try desk.apply("B", base: 1, inc: ["x": 2])
        #expect(desk.item?.isDeleted == false && desk.value("x") == 3)
    }

    @Test func deleteByOneWhoHadNotSeenAnEditIsKeptAside() throws {
        try desk.apply("A", base: 1, set: ["x": 2])
        try desk.apply("B", base: 1, at: 99, set: [.deleted: true])
        #expect(desk.item?.isDeleted == false && desk.open == ["deleted=true by B"])
    }

    @Test func deleteByOneWhoHadSeenAllDeletes() throws {
        try desk.apply("A", base: 1, set: ["x": 2])
        try desk.apply("B", base: 2, set: [.deleted: true])
        #expect(desk.item?.isDeleted == true && desk.open == [])
        #expect(desk.value("x") == 2, "the fields stay, for an undelete")
    }

    @Test func deletesOnTwoSidesAreOne() throws {
        try desk.apply("A", base: 1, set: [.deleted: true])
        try desk.apply("B", base: 1, at: 9, set: [.deleted: true])
        #expect(desk.item?.isDeleted == true && desk.open == [])
    }

    @Test func deleteOfADeletedItemIsNoConflict() throws {
        try desk.apply("A", base: 1, set: ["x": 2])
        try desk.apply("A", base: 1, set: [.deleted: true])
        try desk.apply("B", base: 1, set: [.deleted: true])
        #expect(desk.item?.isDeleted == true && desk.open == [], "though B had not seen the edit")
    }

    @Test(arguments: [0, 99] as [Timestamp])
    func undeleteBeatsADeleteUnseenWhateverTheClocksSay(_ time: Timestamp) throws {
        try desk.apply("A", base: 1, at: 9, set: [.deleted: false])
        try desk.apply("A", base: 2, at: 9, set: [.deleted: true])
        try desk.apply("B", base: 2, at: time, set: [.deleted: false])
        #expect(desk.item?.isDeleted == false && desk.open == ["deleted=true by A"])
    }

    @Test func deleteAgainstAnUndeleteUnseenIsKeptAside() throws {
        try desk.apply("A", base: 1, set: [.deleted: true])
        try desk.apply("A", base: 2, set: [.deleted: false])
        try desk.apply("B", base: 1, at: 99, set: [.deleted: true])
        #expect(desk.item?.isDeleted == false && desk.open == ["deleted=true by B"])
    }

    // Closing

    @Test func conflictIsClosedByAWriteThatSawIt() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": 2])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        let result = try desk.apply("C", base: 3, set: ["x": 2])
        #expect(desk.value("x") == 2 && desk.open == [])
        #expect(result.closed.map(\.value) == [3])
    }

    @Test func conflictIsNotClosedByAWriteThatDidNotSeeIt() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": 2])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        let result = try desk.apply("C", base: 2, at: 9, set: ["x": 4])
        #expect(desk.value("x") == 4 && desk.open == ["x=3 by B"] && result.closed == [])
    }

    @Test func conflictIsNotClosedByAWriteOfAnotherField() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": 2])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        try desk.apply("C", base: 3, set: ["y": 4], inc: ["z": 1])
        #expect(desk.open == ["x=3 by B"])
    }

    @Test func ownLostValueIsClosedByItsAuthorsNextWrite() throws {
        try desk.apply("A", base: 1, at: 5, set: ["x": 2])
        try desk.apply("B", base: 1, at: 1, set: ["x": 3])
        try desk.apply("B", base: 1, at: 2, set: ["x": 4])
        #expect(desk.value("x") == 2 && desk.open == ["x=4 by B"], "one conflict an author, with the last word")
    }

    @Test func ownLostDeleteIsClosedByItsAuthorsNextDelete() throws {
        try desk.apply("A", base: 1, set: ["x": 2])
        try desk.apply("B", base: 1, set: [.deleted: true])
        try desk.apply("B", base: 1, set: [.deleted: true])
        #expect(desk.open == ["deleted=true by B"])
        try desk.apply("B", base: 4, set: [.deleted: true])
        #expect(desk.item?.isDeleted == true && desk.open == [])
    }

    @Test func threeConcurrentValuesLeaveTwoConflicts() throws {
        try desk.apply("A", base: 1, at: 1, set: ["x": 2])
        try desk.apply("B", base: 1, at: 2, set: ["x": 3])
        try desk.apply("C", base: 1, at: 3, set: ["x": 4])
        #expect(desk.value("x") == 4 && desk.open == ["x=2 by A", "x=3 by B"])
    }

    @Test func baseOfTheFutureSeesEverything() throws {
        try desk.apply("A", base: 1, at: 9, set: ["x": 2])
        try desk.apply("B", base: 99, set: ["x": 3])
        #expect(desk.value("x") == 3 && desk.open == [])
    }
}
