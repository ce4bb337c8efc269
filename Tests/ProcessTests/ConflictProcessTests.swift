import TandemClient
import TandemItems
import TestSupport
import Testing

/// Edits on several machines that did not know of each other.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ConflictProcessTests {
    /// How a person settles a conflict between `shown` and `other`, and what is there then.
    enum Way: CaseIterable {
        case shown, other, value

        var words: [String] {
            switch self {
            case .shown: ["--shown"]
            case .other: ["--other"]
            case .value: ["--value", "From neither"]
            }
        }

        func value(_ shown: JSON, _ other: JSON) -> JSON {
            switch self {
            case .shown: shown
            case .other: other
            case .value: "From neither"
            }
        }
    }

    @Test func editsOfDifferentFieldsBothStay() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b", "c")
            try await tandem.cut("a", "b")
            try await tandem.set(id, [.title: "Buy oat milk"], on: "a")
            try await tandem.set(id, [.isCompleted: true, .shopTag: true], on: "b")
            tandem.heal()
            let items = try await tandem.converge("a", "b", "c")
            #expect(items.titles == ["Buy oat milk"])
            #expect(items.first?[.isCompleted] == true)
            #expect(items.first?[.shopTag] == true)
            #expect(items.first?.conflicts.isEmpty == true)
            #expect(try await tandem.done("c", "conflicts") == "no conflicts\n")
        }
    }

    @Test(arguments: Way.allCases)
    func bothValuesOfAFieldAreShownEverywhereUntilOneMachineSettlesIt(_ way: Way) async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b", "c")
            try await tandem.cut("a", "b")
            try await tandem.set(id, [.title: "From a"], on: "a")
            try await tandem.set(id, [.title: "From b"], on: "b")
            tandem.heal()
            let item = try #require(try await tandem.converge("a", "b", "c").first)
            let conflict = try #require(item.conflicts.first)
            #expect(item.conflicts.count == 1 && conflict.field == .title)
            #expect(Set([item[.title], conflict.value]) == ["From a", "From b"])
            for name in ["a", "b", "c"] {
                let text = try await tandem.done(name, "conflicts")
                #expect(text.contains("From a") && text.contains("From b") && text.contains("1 conflict in 1 item"))
                #expect(try await tandem.client(name).status().conflicts == 1)
            }
            let resolved = try await tandem.tandem("c", ["resolve", String(conflict.id.text.prefix(8))] + way.words)
            #expect(resolved.exit == .code(0), "\(resolved.errors)")
            let settled = try #require(try await tandem.converge("a", "b", "c").first)
            #expect(settled[.title] == way.value(item[.title], conflict.value))
            #expect(settled.conflicts.isEmpty)
            for name in ["a", "b", "c"] { #expect(try await tandem.done(name, "conflicts") == "no conflicts\n") }
            try await expectHistory(of: id, in: tandem, settled[.title])
        }
    }

    @Test func threeValuesOfAFieldAreAllThereUntilSomeoneChooses() async throws {
        let names = ["a", "b", "c"]
        try await Tandem.with(names) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b", "c")
            try await tandem.cut("a", "b", "c")
            for name in names { try await tandem.set(id, [.title: .string("From \(name)")], on: name) }
            tandem.heal()
            let item = try #require(try await tandem.converge("a", "b", "c").first)
            #expect(Set([item[.title]] + item.conflicts.map(\.value)) == ["From a", "From b", "From c"])
            #expect(item.conflicts.count == 2)
            let chosen = try #require(item.conflicts.last)
            try await tandem.done("b", "resolve", chosen.id.text, "--other")
            let settled = try #require(try await tandem.converge("a", "b", "c").first)
            #expect(settled[.title] == chosen.value && settled.conflicts.isEmpty)
        }
    }

    /// Two machines settle one conflict in two ways at once: that is a conflict again, and nothing is lost.
    @Test func settlingOnTwoMachinesInTwoWaysIsAConflict() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.cut("a", "b")
            try await tandem.set(id, [.title: "From a"], on: "a")
            try await tandem.set(id, [.title: "From b"], on: "b")
            tandem.heal()
            let conflict = try #require(try await tandem.converge("a", "b").conflicts.first)
            try await tandem.cut("a", "b")
            try await tandem.done("a", "resolve", conflict.id.text, "--value", "Settled by a")
            try await tandem.done("b", "resolve", conflict.id.text, "--value", "Settled by b")
            #expect(try await tandem.done("a", "conflicts") == "no conflicts\n")
            tandem.heal()
            let item = try #require(try await tandem.converge("a", "b").first)
            #expect(Set([item[.title]] + item.conflicts.map(\.value)) == ["Settled by a", "Settled by b"])
            #expect(item.conflicts.count == 1)
        }
    }

    /// Every value that was ever typed is in the hub's history, with the conflict's beginning and end.
    private func expectHistory(of id: ItemID, in tandem: Tandem, _ last: JSON) async throws {
        let history = try await tandem.history(of: id)
        let values = history.map { $0.mutation.set[.title] }
        #expect(values.count == 4 && values.first == "Buy milk" && values.last == last)
        #expect(Set(values[1...2]) == ["From a", "From b"])
        #expect(history.map(\.opened.count) == [0, 0, 1, 0])
        #expect(history.map(\.closed.count) == [0, 0, 0, 1])
    }

    /// Which side reaches the hub first.
    enum First: CaseIterable { case edit, delete }

    @Test(arguments: First.allCases)
    func aDeleteAgainstAnUnseenEditIsAConflictThatSaysWhoDeleted(_ first: First) async throws {
        try await Tandem.with(["editor", "deleter"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "editor")
            _ = try await tandem.converge("editor", "deleter")
            try await tandem.cut("editor", "deleter")
            try await tandem.set(id, [.title: "Buy oat milk"], on: "editor")
            try await tandem.delete(id, on: "deleter")
            #expect(try await tandem.values(on: "deleter") == [])
            // The later one's daemon is away while the network heals.
            let (early, late) = first == .edit ? ("editor", "deleter") : ("deleter", "editor")
            _ = await tandem.stopDaemon(late)
            tandem.heal()
            _ = try await tandem.converge(early)
            try await tandem.startDaemon(late)
            let item = try #require(try await tandem.converge("editor", "deleter").first)
            #expect(item[.title] == "Buy oat milk" && !item.isDeleted)
            #expect(item.conflicts.map(\.field) == [.deleted] && item.conflicts.map(\.value) == [true])
            let deleter = try await tandem.client("deleter").status()
            #expect(item.conflicts.map(\.origin.replica.text) == [deleter.replica])
            for name in ["editor", "deleter"] {
                let text = try await tandem.done(name, "conflicts")
                #expect(text.contains("the item is deleted") && text.contains("the item stays"))
            }
            #expect(try await tandem.done("deleter", "conflicts").contains("this machine"))
            try await tandem.done("editor", "resolve", item.conflicts[0].id.text, "--other")
            #expect(try await tandem.converge("editor", "deleter").isEmpty)
        }
    }

    @Test func aDeleteThatNobodyContradictsDeletesEverywhere() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let ids = try await tandem.add(["Goes", "Stays"], on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.cut("a", "b")
            try await tandem.done("b", "rm", ids[0].text)
            tandem.heal()
            #expect(try await tandem.converge("a", "b").titles == ["Stays"])
            #expect(try await tandem.done("a", "conflicts") == "no conflicts\n")
            #expect(try await tandem.item(ids[0].text, on: "a").isDeleted)
        }
    }

    @Test func anEditOfADeletedItemBringsItBackEverywhere() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let id = try await tandem.add("Buy milk", on: "a")
            _ = try await tandem.converge("a", "b")
            try await tandem.delete(id, on: "a")
            #expect(try await tandem.converge("a", "b").isEmpty)
            try await tandem.set(id, [.title: "Buy milk again"], on: "b")
            #expect(try await tandem.converge("a", "b").titles == ["Buy milk again"])
            #expect(try await tandem.done("a", "conflicts") == "no conflicts\n")
        }
    }

    /// Pending edits go in many batches; the base of each is what its author saw, not what an earlier batch met.
    @Test func moreThanOneBatchOfEditsBeforeAContestedOneLosesNothing() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let id = try await tandem.add("Contested", on: "a")
            _ = try await tandem.converge("a", "b", "c")
            try await tandem.cut("a", "b")
            let edits = (0..<300).map { number in
                let text = String(repeating: "\(number % 10)", count: 8_192)
                return EditRequest(set: [.title: .string("Item \(number)"), .note: .string(text)])
            }
            let results = try await tandem.client("a").edit(edits, in: .todo)
            let ids = try results.map { try $0.get().item.id }
            try await tandem.set(id, [.title: "From a"], on: "a")
            try await tandem.set(ids[7], [.note: "short"], on: "a")
            try await tandem.set(id, [.title: "From b"], on: "b")
            tandem.heal()
            let items = try await tandem.converge("a", "b", "c")
            #expect(items.count == 301)
            #expect(items.count { $0[.note].string?.utf8.count == 8_192 } == 299)
            #expect(items.conflicts.map(\.field) == [.title])
            let contested = try #require(items.first { $0.id == id })
            #expect(Set([contested[.title], contested.conflicts.first?.value]) == ["From a", "From b"])
        }
    }
}
