import Testing

@testable import TandemItems

/// What a replica shows: the hub's state with its own pending mutations on top.
@Suite struct ItemShowingTests {
    private static func mutation(
        _ replica: ReplicaID, _ n: Int64, base: Version, at time: Timestamp = 0, set: FieldMap<JSON> = [:],
        inc: FieldMap<Int64> = [:]
    ) throws -> Mutation {
        let nonce = try Nonce("\(replica)\(n)")
        return Mutation(
            replica: replica, n: n, nonce: nonce, item: "i", base: base, set: set, increments: inc, at: time)
    }

    private static func confirmed(_ mutations: [Mutation]) throws -> Item? {
        try mutations.enumerated().reduce(nil) { item, next in
            try Merge.apply(next.element, to: item, as: Version(Int64(next.offset) + 1)).item
        }
    }

    @Test func nothingPendingShowsTheConfirmedItem() throws {
        let item = try Self.confirmed([Self.mutation("A", 1, base: 0, set: ["x": 1])])
        #expect(Item.shown(item, with: []) == item)
        #expect(Item.shown(nil, with: []) == nil)
    }

    @Test func newItemIsShownWithoutAVersion() throws {
        let shown = Item.shown(nil, with: [try Self.mutation("A", 1, base: 0, set: ["x": 1], inc: ["c": 2])])
        #expect(shown?["x"] == 1 && shown?["c"] == 2)
        #expect(shown?.version == Version.none)
        #expect(shown?.fields["x"]?.origin == Origin(version: .none, replica: "A", n: 1, at: 0))
    }

    @Test func pendingValuesHaveNoVersionAndTheItemKeepsItsOwn() throws {
        let item = try Self.confirmed([Self.mutation("B", 1, base: 0, set: ["x": 1, "y": 1])])
        let pending = try [
            Self.mutation("A", 1, base: 1, set: ["x": 2]), Self.mutation("A", 2, base: 1, set: ["x": 3]),
        ]
        let shown = Item.shown(item, with: pending)
        #expect(shown?["x"] == 3)
        #expect(shown?.version == 1)
        #expect(shown?.fields["x"]?.origin.version == Version.none && shown?.fields["x"]?.origin.n == 2)
        #expect(shown?.fields["y"] == item?.fields["y"])
    }

    @Test func pendingEditIsShownOverARemoteDelete() throws {
        let item = try Self.confirmed([
            Self.mutation("B", 1, base: 0, set: ["x": 1]), Self.mutation("B", 2, base: 1, set: [.deleted: true]),
        ])
        let shown = Item.shown(item, with: [try Self.mutation("A", 1, base: 1, set: ["x": 2])])
        #expect(shown?.isDeleted == false && shown?["x"] == 2)
        #expect(shown?.conflicts == [], "the hub has not decided yet")
    }

    @Test func pendingDeleteIsNotShownOverARemoteEdit() throws {
        let item = try Self.confirmed([
            Self.mutation("B", 1, base: 0, set: ["x": 1]), Self.mutation("B", 2, base: 1, set: ["x": 2]),
        ])
        let shown = Item.shown(item, with: [try Self.mutation("A", 1, base: 1, set: [.deleted: true])])
        #expect(shown?.isDeleted == false && shown?["x"] == 2 && shown?.conflicts == [])
    }

    @Test func conflictThatAPendingMutationSettlesIsGone() throws {
        let item = try Self.confirmed([
            Self.mutation("B", 1, base: 0, set: ["x": 1, "y": 1]),
            Self.mutation("C", 1, base: 0, set: ["x": 2, "y": 2]),
        ])
        #expect(item?.conflicts.map(\.field) == ["x", "y"])
        let shown = Item.shown(item, with: [try Self.mutation("A", 1, base: 2, set: ["x": 1])])
        #expect(shown?.conflicts.map(\.field) == ["y"])
        #expect(shown?["x"] == 1)
    }

    @Test func mutationThatCannotApplyShowsNothingAndStopsNothing() throws {
        let item = try Self.confirmed([Self.mutation("B", 1, base: 0, set: ["t": "text"])])
        let pending = try [
            Self.mutation("A", 1, base: 1, inc: ["t": 1]), Self.mutation("A", 2, base: 1, set: ["x": 1]),
        ]
        let shown = Item.shown(item, with: pending)
        #expect(shown?["t"] == "text" && shown?["x"] == 1)
        #expect(Item.shown(nil, with: [])?.version == nil)
    }

    @Test func pendingIncrementIsShownOnTopOfRemoteOnes() throws {
        let item = try Self.confirmed([
            Self.mutation("B", 1, base: 0, set: ["c": 1]), Self.mutation("B", 2, base: 1, inc: ["c": 10]),
        ])
        let shown = Item.shown(item, with: [try Self.mutation("A", 1, base: 1, inc: ["c": 100])])
        #expect(shown?["c"] == 111)
    }

    @Test func mutationWhoseAnswerWasLostIsNotShownTwice() throws {
        let own = try Self.mutation("A", 1, base: 0, inc: ["c": 1])
        let item = try Self.confirmed([own])
        let next = try Self.mutation("A", 2, base: 0, inc: ["c": 10])
        #expect(Item.shown(item, with: [own, next])?["c"] == 11)
        let later = try Self.confirmed([own, next])
        #expect(Item.shown(later, with: [own, next])?["c"] == 11, "the later one proves the earlier")
    }

    @Test func lostValueProvesThatItsMutationWasAccepted() throws {
        let own = try Self.mutation("A", 1, base: 0, at: 1, set: ["x": 1], inc: ["c": 1])
        let item = try Self.confirmed([
            Self.mutation("B", 1, base: 0, at: 9, set: ["x": 2]), own,
            Self.mutation("B", 2, base: 2, set: ["c": 7]),
        ])
        #expect(item?.conflicts.map(\.value) == [1])
        #expect(Item.shown(item, with: [own])?["c"] == 7)
    }
}

@Suite struct MutationRevivingTests {
    private let edit = Mutation(replica: "A", n: 2, nonce: "q", item: "i", base: 1, set: ["x": 1], at: 0)

    private func item(deleted: Bool) -> Item {
        var item = Item(id: "i")
        item.fields[.deleted] = Field(.bool(deleted), Origin(version: 1, replica: "B", n: 1, at: 0))
        return item
    }

    private func pending(deleted: Bool) -> Mutation {
        Mutation(replica: "A", n: 1, nonce: "p", item: "i", base: 1, set: [.deleted: .bool(deleted)], at: 0)
    }

    @Test func editOfWhatMayBeDeletedSaysThatItIsNot() {
        #expect(edit.reviving(item(deleted: true), after: []).set == ["x": 1, .deleted: false])
        #expect(edit.reviving(nil, after: [pending(deleted: true)]).set[.deleted] == false)
        let both = [pending(deleted: true), pending(deleted: false)]
        #expect(edit.reviving(item(deleted: false), after: both).set[.deleted] == false)
    }

    @Test func editOfWhatIsAliveStaysAsItIs() {
        #expect(edit.reviving(item(deleted: false), after: [pending(deleted: false)]) == edit)
        #expect(edit.reviving(nil, after: []) == edit)
    }

    @Test func deleteAndReorderStayAsTheyAre() {
        var moved = edit
        moved.set = [.order: "k"]
        var deleted = edit
        deleted.set[.deleted] = true
        for mutation in [moved, deleted] { #expect(mutation.reviving(item(deleted: true), after: []) == mutation) }
    }
}
