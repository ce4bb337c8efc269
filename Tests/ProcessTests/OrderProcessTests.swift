import TandemClient
import TandemItems
import TestSupport
import Testing

/// Moves on several machines that did not know of each other.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OrderProcessTests {
    @Test func movesOfDifferentItemsBothHold() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let ids = try await tandem.add(["1", "2", "3", "4", "5"], on: "a")
            #expect(try await tandem.converge("a", "b", "c").titles == ["1", "2", "3", "4", "5"])
            try await tandem.cut("a", "b")
            try await tandem.done("a", "move", ids[0].text, "--after", ids[2].text)
            try await tandem.done("b", "move", ids[4].text, "--before", ids[1].text)
            #expect(try await tandem.values(on: "a") == ["2", "3", "1", "4", "5"])
            #expect(try await tandem.values(on: "b") == ["1", "5", "2", "3", "4"])
            tandem.heal()
            let items = try await tandem.converge("a", "b", "c")
            #expect(items.titles == ["5", "2", "3", "1", "4"])
            #expect(items.conflicts.isEmpty)
        }
    }

    @Test func movesOfOneItemToTwoPlacesLeaveItInOneOfThem() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let ids = try await tandem.add(["1", "2", "3", "4", "5"], on: "a")
            _ = try await tandem.converge("a", "b", "c")
            try await tandem.cut("a", "b")
            try await tandem.done("a", "move", ids[2].text, "--first")
            try await tandem.done("b", "move", ids[2].text, "--last")
            tandem.heal()
            let items = try await tandem.converge("a", "b", "c")
            // The later one wins, whichever reaches the hub first.
            #expect(items.titles == ["1", "2", "4", "5", "3"])
            #expect(items.conflicts.isEmpty)
            #expect(try await tandem.done("c", "conflicts") == "no conflicts\n")
        }
    }

    @Test func manyMovesOnBothSidesNeitherDoubleNorLoseAnItem() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let titles = (10..<30).map(String.init)
            let ids = try await tandem.add(titles, on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.cut("a", "b")
            for round in 0..<40 {
                let (one, two) = (ids[round * 7 % 20], ids[(round * 11 + 3) % 20])
                let name = round % 2 == 0 ? "a" : "b"
                _ = try await tandem.client(name).move(one.text, to: one == two ? .first : .before(two.text))
            }
            tandem.heal()
            let items = try await tandem.converge("a", "b")
            #expect(items.titles.sorted() == titles)
            #expect(items.conflicts.isEmpty)
        }
    }

    /// Both put their item at one place: there it stands beside the other, in the same order everywhere.
    @Test func itemsMovedToOnePlaceStandThereSideBySide() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let ids = try await tandem.add(["1", "2", "3", "4"], on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.cut("a", "b")
            try await tandem.done("a", "move", ids[2].text, "--after", ids[0].text)
            try await tandem.done("b", "move", ids[3].text, "--after", ids[0].text)
            tandem.heal()
            let titles = try await tandem.converge("a", "b").titles
            #expect(titles == ["1", "3", "4", "2"] || titles == ["1", "4", "3", "2"])
        }
    }
}
