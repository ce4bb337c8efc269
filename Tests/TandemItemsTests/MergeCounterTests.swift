import Testing

@testable import TandemItems

@Suite struct MergeCounterTests {
    private let desk = MergeDesk()

    init() throws { try desk.apply("A", base: 0, set: ["c": 10, "t": "text", "d": 1.5]) }

    @Test func incrementsOnTwoSidesBothCount() throws {
        try desk.apply("A", base: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, inc: ["c": 2])
        #expect(desk.value("c") == 13 && desk.open == [])
        #expect(desk.item?.fields["c"]?.origin.blend == 2)
        try desk.apply("B", base: 1, inc: ["c": 4])
        #expect(desk.value("c") == 17 && desk.item?.fields["c"]?.origin.blend == 2)
    }

    @Test func incrementOfAnAbsentOrRemovedFieldStartsAtZero() throws {
        try desk.apply("B", base: 1, set: ["c": nil], inc: ["n": -3])
        try desk.apply("B", base: 2, inc: ["c": 5])
        #expect(desk.value("n") == -3 && desk.value("c") == 5)
    }

    @Test func incrementOverASetUnseenAddsToIt() throws {
        try desk.apply("A", base: 1, set: ["c": 100])
        try desk.apply("B", base: 1, inc: ["c": 1])
        #expect(desk.value("c") == 101 && desk.open == [])
        #expect(desk.item?.fields["c"]?.origin.isBlended == true)
    }

    @Test func incrementThatSawAllIsNotBlended() throws {
        try desk.apply("B", base: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, inc: ["c": 1])
        try desk.apply("A", base: 3, inc: ["c": 1])
        #expect(desk.value("c") == 13 && desk.item?.fields["c"]?.origin.isBlended == false)
    }

    @Test func setAgainstAnIncrementUnseenIsAConflict() throws {
        try desk.apply("A", base: 1, at: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, at: 2, set: ["c": 0])
        #expect(desk.value("c") == 0 && desk.open == ["c=11 by A"])
    }

    @Test func ownSetAfterOwnBlendedIncrementIsAConflict() throws {
        try desk.apply("A", base: 1, at: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, at: 2, inc: ["c": 2])
        try desk.apply("B", base: 1, at: 3, set: ["c": 0])
        #expect(desk.value("c") == 0 && desk.open == ["c=13 by B"], "B wrote 13, but never saw A's part of it")
        try desk.apply("B", base: 1, at: 4, set: ["c": 5])
        #expect(desk.open == ["c=13 by B"], "nor does B close it unseen")
        try desk.apply("B", base: 5, at: 5, set: ["c": 6])
        #expect(desk.value("c") == 6 && desk.open == [])
    }

    @Test func ownSetByOneWhoHasSeenTheOtherPartIsNoConflict() throws {
        try desk.apply("A", base: 1, at: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, at: 2, inc: ["c": 2])
        try desk.apply("B", base: 2, at: 3, set: ["c": 0])
        #expect(desk.value("c") == 0 && desk.open == [], "13 is A's part, which B saw at 2, and B's own")
    }

    @Test func deleteByOneWhoHasNotSeenAPartOfACounterIsKeptAside() throws {
        try desk.apply("A", base: 1, inc: ["c": 1])
        try desk.apply("B", base: 1, inc: ["c": 2])
        try desk.apply("B", base: 1, set: [.deleted: true])
        #expect(desk.item?.isDeleted == false && desk.open == ["deleted=true by B"])
    }

    @Test func laterOfTwoOwnValuesOfOneInstantIsShown() throws {
        try desk.apply("A", base: 1, at: 7, inc: ["c": 1])
        try desk.apply("B", base: 1, at: 7, inc: ["c": 2])
        try desk.apply("B", base: 1, at: 7, set: ["c": 0])
        #expect(desk.value("c") == 0 && desk.open == ["c=13 by B"])
    }

    @Test func incrementDoesNotCloseAConflict() throws {
        try desk.apply("A", base: 1, at: 1, set: ["c": 20])
        try desk.apply("B", base: 1, at: 2, set: ["c": 30])
        try desk.apply("A", base: 3, inc: ["c": 1])
        #expect(desk.value("c") == 31 && desk.open == ["c=20 by A"])
    }

    @Test func fractionIsCountedToo() throws {
        try desk.apply("B", base: 1, inc: ["d": 2])
        #expect(desk.value("d") == 3.5)
    }

    @Test func counterOverATextIsRefusedWhole() throws {
        let before = desk.item
        let error = #expect(throws: InvalidItem.self) {
            try desk.apply("B", base: 1, set: ["c": 1], inc: ["t": 1])
        }
        #expect(error?.code == .notACounter)
        #expect(desk.item == before)
    }

    @Test(arguments: [(Int64.max, 1), (.min, -1), (1, .max), (-2, .min)] as [(Int64, Int64)])
    func counterOutsideSixtyFourBitsIsRefused(_ value: Int64, _ amount: Int64) throws {
        try desk.apply("A", base: 1, set: ["c": .int(value)])
        let error = #expect(throws: InvalidItem.self) {
            try desk.apply("B", base: 2, inc: ["c": amount])
        }
        #expect(error?.code == .counterOverflow)
    }
}
