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
                try await eventually("both show the same") {
                    let (a, b) = (tandem.client("a"), other.client("b"))
                    guard try await a.status().isSynced, try await b.status().isSynced else { return false }
                    let (inA, inB) = (try await a.items(in: .todo), try await b.items(in: .todo))
                    return inA == inB
                }
                let titles = try await other.client("b").items(in: .todo).titles.sorted()
                #expect(titles == ["Of the other hub", "One, alone", "Three", "Two"])
                #expect(try await other.client("b").status().conflicts == 0)
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
                try await eventually("both show the same") {
                    let (a, b) = (tandem.client("a"), other.client("b"))
                    guard try await a.status().isSynced, try await b.status().isSynced else { return false }
                    let (inA, inB) = (try await a.items(in: .todo), try await b.items(in: .todo))
                    return inA == inB
                }
                let alive = try await tandem.client("a").items(in: .todo)
                #expect(alive.count { $0[.title] == "Alive" } == 2)
            }
        }
    }
}
