import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

/// Replicas that leave a hub, come back, or go to another.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SyncMembershipProcessTests {
    @Test func whoComesBackToTheSameHubUploadsNothingTwice() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let ids = try await tandem.add(["One", "Two", "Three"], on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.done("a", "leave")
            try await tandem.reach("detached", "a")
            try await tandem.set(ids[0], [.title: "One, alone"], on: "a")
            try await tandem.delete(ids[1], on: "a")
            try await tandem.add("Four", on: "b")
            _ = try await tandem.converge("b")
            try await tandem.join("a")
            let items = try await tandem.converge("a", "b")
            #expect(items.titles == ["One, alone", "Three", "Four"])
            #expect(items.conflicts.isEmpty)
            var lengths: [Int] = []
            for id in ids { lengths.append(try await tandem.history(of: id).count) }
            #expect(lengths == [2, 2, 1])
        }
    }

    @Test func anotherHubIsGivenEverything() async throws {
        try await Tandem.with(["a"]) { tandem in
            let ids = try await tandem.add(["One", "Two", "Three", "Gone"], on: "a")
            try await tandem.delete(ids[3], on: "a")
            let before = try await tandem.converge("a")
            try await tandem.done("a", "leave")
            try await Tandem.with(["b"]) { other in
                try await other.add("Of the other hub", on: "b")
                _ = try await other.converge("b")
                try await tandem.set(ids[0], [.title: "One, alone"], on: "a")
                let joined = try await tandem.tandem("a", "join", try await other.link("a"))
                #expect(joined.exit == .code(0), "\(joined.errors)")
                try await eventually("b has everything") { try await other.values(on: "b").count == before.count + 1 }
                let items = try await converge((tandem, "a"), (other, "b"))
                #expect(items.titles.sorted() == ["Of the other hub", "One, alone", "Three", "Two"])
                #expect(items.conflicts.isEmpty)
            }
        }
    }

    /// Versions of two hubs cannot be compared: what the first hub said of an item, a delete included, must not hide
    /// what the second one says.
    @Test func whatOneHubSaidOfAnItemHidesNothingOfAnother() async throws {
        try await Tandem.with(["a"]) { tandem in
            let deleted = try ItemID("deleted-at-the-first")
            let pending = try ItemID("deleted-while-alone")
            for id in [deleted, pending] { try await tandem.add("Old", on: "a", id: id) }
            try await tandem.add((0..<10).map { "Item \($0)" }, on: "a")
            try await tandem.delete(deleted, on: "a")
            _ = try await tandem.converge("a")
            try await tandem.done("a", "leave")
            try await tandem.delete(pending, on: "a")
            try await Tandem.with(["b"]) { other in
                for id in [deleted, pending] { try await other.add("Alive", on: "b", id: id) }
                _ = try await other.converge("b")
                let joined = try await tandem.tandem("a", "join", try await other.link("a"))
                #expect(joined.exit == .code(0), "\(joined.errors)")
                let items = try await converge((tandem, "a"), (other, "b"))
                #expect(items.count == 12 && items.titles.count { $0 == "Alive" } == 2)
                // The delete that no hub has heard of yet is one that met an edit.
                let contested = items.filter { $0.conflicts.contains { $0.field == .deleted && $0.value == true } }
                #expect(contested.map(\.id) == [pending])
            }
        }
    }

    /// Both values of an open conflict are someone's; the hub that is joined next is given both.
    @Test func anOpenConflictGoesAlongToAnotherHub() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.cut("a", "b")
            try await tandem.set(id, [.title: "From a"], on: "a")
            try await tandem.set(id, [.title: "From b"], on: "b")
            tandem.heal()
            let before = try #require(try await tandem.converge("a", "b").first)
            #expect(before.conflicts.count == 1)
            try await tandem.done("a", "leave")
            try await Tandem.with(["c"]) { other in
                try await tandem.done("a", "join", try await other.link("a"))
                let item = try #require(try await converge((tandem, "a"), (other, "c")).first)
                #expect(item[.title] == before[.title])
                #expect(item.conflicts.map(\.value) == before.conflicts.map(\.value))
                try await tandem.done("a", "resolve", try #require(item.conflicts.first).id.text, "--other")
                let settled = try #require(try await converge((tandem, "a"), (other, "c")).first)
                #expect(settled[.title] == before.conflicts.first?.value && settled.conflicts.isEmpty)
            }
        }
    }

    /// Waits until daemons of two fixtures, which have joined one hub, show the same.
    private func converge(_ one: (Tandem, String), _ two: (Tandem, String)) async throws -> [Item] {
        let clients = [one.0.client(one.1), two.0.client(two.1)]
        var shown: [[Item]] = []
        try await eventually("both show the same") {
            for client in clients where try await !client.status().isSynced { return false }
            shown = []
            for client in clients { shown.append(try await client.items(in: .todo)) }
            return shown[0] == shown[1]
        }
        return shown[0]
    }
}
