import Testing

@testable import TandemItems

/// What another end may send to do harm: numbers at their ends, and a great many of everything.
@Suite(.timeLimit(.minutes(2)))
struct HostileInputTests {
    private static func item(version: Int64, opened: Int64 = 1, blend: Int64 = 0) -> JSON {
        let origin: JSONObject = [
            "version": .int(version), "replica": "r", "n": 1, "at": .int(.min), "blend": .int(blend),
        ]
        var conflict: JSONObject = ["id": "c", "field": "x", "value": 1, "opened": .int(opened)]
        conflict.append(contentsOf: origin)
        return [
            "id": "i", "version": .int(version), "fields": ["x": 1], "origins": [.object(origin)],
            "conflicts": [.object(conflict)],
        ]
    }

    @Test(arguments: [Int64.min, -1, (1 << 53) + 1, .max - 1, .max] as [Int64])
    func sequenceThatNoListCanReachIsRefused(number: Int64) {
        let items = [
            Self.item(version: number), Self.item(version: 1, opened: number), Self.item(version: 1, blend: number),
        ]
        for item in items { #expect(throws: InvalidItem.self) { try Item(json: item) } }
        #expect(Cursor("e.\(number).0") == nil)
        #expect(Cursor("e.0.0.\(number)") == nil)
    }

    @Test func lastSequenceIsReadAndHasANextOne() throws {
        let item = try Item(json: Self.item(version: Version.last.number))
        #expect(item.version.next > item.version)
        #expect(Version(.max).next.number <= Version.last.number + 1)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 5_000, .max])
    func limitsStayWithinTheirBounds(number: Int) throws {
        let limits = Limits(itemBytes: number, fields: number, batchMutations: number, batchBytes: number)
        #expect(Limits.Bounds.itemBytes.contains(limits.itemBytes) && Limits.Bounds.fields.contains(limits.fields))
        #expect(Limits.Bounds.batchMutations.contains(limits.batchMutations))
        #expect(Limits.Bounds.batchBytes.contains(limits.batchBytes))
        try Item(id: "i").check(limits)
    }

    @Test func mutationOfMoreFieldsThanAnyItemMayHaveIsRefusedAtOnce() throws {
        let many = JSON.object(JSONObject(distinct: (0..<200_000).reversed().map { (key: "f\($0)", value: 0) }))
        let error = #expect(throws: InvalidItem.self) { try FieldMap<JSON>(values: many) }
        #expect(error?.code == .tooManyFields)
        #expect(throws: InvalidItem.self) { try FieldMap<Int64>(increments: many) }
        #expect(throws: InvalidItem.self) { try Item(json: ["id": "i", "version": 1, "fields": many]) }
    }

    @Test func objectsOfManyMembersAreMadeInOneGo() {
        var object = JSONObject((0..<100_000).map { ("k\($0)", .int($0)) })
        object.append(contentsOf: JSONObject((50_000..<150_000).map { ("k\($0)", "other") }))
        #expect(object.members.count == 150_000)
        #expect(object.members[60_000].value == 60_000)
        #expect(object.members[149_999].key == "k149999")
    }

    @Test(arguments: [3, 40]) func ofTwoMembersWithOneKeyTheLaterStaysInThePlaceOfTheFirst(count: Int) {
        let members = (0..<count).map { ("k\($0)", JSON.int(Int64($0))) } + [("k1", "again")]
        let object = JSONObject(members)
        #expect(object.members.count == count)
        #expect(object.members[1].key == "k1" && object.members[1].value == "again")
    }

    @Test func pendingCounterOfAnotherReplicaLeavesNoMarkOfThePendingState() throws {
        let mutations = try (1...2 as ClosedRange<Int64>).map { n in
            Mutation(
                replica: try ReplicaID("r\(n)"), n: 1, nonce: try Nonce("n\(n)"), item: "i", base: 0,
                increments: ["x": 1], at: 0)
        }
        let shown = try #require(Item.shown(nil, with: mutations))
        #expect(shown["x"] == 2)
        #expect(try Item(json: shown.json) == shown)
    }
}

/// The size of an item, now and before a change.
struct ItemSizeTests {
    private static func item(bytes: Int, conflicts: Int = 0) -> Item {
        let origin = Origin(version: 1, replica: "r", n: 1, at: 0)
        var item = Item(id: "i")
        item.fields["x"] = Field(.string(String(repeating: "x", count: bytes)), origin)
        item.conflicts = (0..<conflicts).map {
            Conflict(id: ConflictID("c\($0)"), field: "x", value: 1, origin: origin, opened: 1)
        }
        return item
    }

    @Test func itemPastALimitMayShrinkAndStayButNotGrow() throws {
        let limits = Limits(itemBytes: 100)
        let large = Self.item(bytes: 500)
        #expect(throws: InvalidItem.self) { try large.check(limits) }
        try large.check(limits, after: large)
        try Self.item(bytes: 400).check(limits, after: large)
        #expect(throws: InvalidItem.self) { try Self.item(bytes: 501).check(limits, after: large) }
    }

    @Test func itemTakesNoFurtherOfVeryManySmallConflicts() throws {
        let full = Self.item(bytes: 1, conflicts: Limits.conflicts)
        try full.check(Limits())
        let fuller = Self.item(bytes: 1, conflicts: Limits.conflicts + 1)
        #expect(throws: InvalidItem.self) { try fuller.check(Limits(), after: full) }
        try full.check(Limits(), after: fuller)
    }
}
