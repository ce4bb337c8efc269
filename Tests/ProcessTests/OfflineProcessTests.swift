import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

/// A hub that is away, and replicas that work alone.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OfflineProcessTests {
    @Test(arguments: [SIGTERM, SIGKILL])
    func whileTheHubIsAwayEveryEditIsTakenAndComesThroughOnceItIsBack(_ signal: Int32) async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            try await tandem.add("Before", on: "a")
            _ = try await tandem.converge("a", "b", "c")
            await tandem.stopHub(signal)
            for name in ["a", "b", "c"] {
                for number in 0..<5 { try await tandem.done(name, "add", "\(name) \(number)") }
            }
            try await tandem.reach("offline", "a")
            let status = try await tandem.done("a", "status")
            #expect(status.contains("offline") && status.contains("5 edits"))
            #expect(status.contains("hint: ") && status.contains("edits are kept"))
            let failed = try await tandem.tandem("a", "sync", "--timeout", "1")
            #expect(failed.exit == .code(1) || failed.exit == .code(5), "\(failed)")
            #expect(failed.errors.hasPrefix("tandem: ") && failed.errors.contains("hint: "))

            try await tandem.startHub()
            let items = try await tandem.converge("a", "b", "c")
            let expected = ["a", "b", "c"].flatMap { name in (0..<5).map { "\(name) \($0)" } }
            #expect(items.titles.sorted() == (expected + ["Before"]).sorted())
            for name in ["a", "b", "c"] { try await tandem.done(name, "sync", "--timeout", "20") }
            #expect(try await tandem.done("a", "status").contains("everything is synced"))
        }
    }

    /// A hub whose machine hangs accepts connections and says nothing.
    @Test func aHubThatHangsDelaysNoEdit() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            _ = try await tandem.converge("a", "b")
            tandem.hub?.kill(SIGSTOP)
            try await tandem.done("a", "add", "One")
            try await tandem.done("b", "add", "Two")
            let waited = try await tandem.tandem("a", "sync", "--timeout", "1")
            #expect(waited.exit == .code(5), "\(waited)")
            #expect(waited.errors.contains("not synced within 1 s"))
            #expect(try await tandem.done("a", "status").contains("1 edit"))
            tandem.hub?.kill(SIGCONT)
            #expect(try await tandem.converge("a", "b").titles.sorted() == ["One", "Two"])
        }
    }

    @Test func aHubThatComesBackIsFoundHoweverManyEditsWereMadeMeanwhile() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            _ = try await tandem.converge("a", "b")
            await tandem.stopHub()
            for number in 0..<12 {
                try await tandem.reach("offline", "a")
                try await tandem.add("Item \(number)", on: "a")
                try await eventually("it is tried at once") {
                    let status = try await tandem.client("a").status()
                    return status.nextTry.map { $0.milliseconds - SystemTime().now > 200 } ?? false
                }
            }
            try await tandem.startHub()
            try await eventually(within: .seconds(10), "a is back without help") {
                try await tandem.client("a").status().isSynced
            }
            #expect(try await tandem.converge("a", "b").count == 12)
        }
    }

    @Test func whatAReplicaHoldsFromATimeAloneIsUploadedWhenItJoins() async throws {
        try await Tandem.with(["a", "b"], joined: false) { tandem in
            let expected = try await workAlone("a", tandem)
            try await tandem.join("a")
            try await tandem.join("b")
            let items = try await tandem.converge("a", "b")
            #expect(items.titles == expected)
            #expect(items.conflicts.isEmpty)
        }
    }

    @Test func aReplicaThatJoinsAListInUseIsMergedWithIt() async throws {
        try await Tandem.with(["a", "b"], joined: false) { tandem in
            let shared = try ItemID("shared")
            try await tandem.join("b")
            try await tandem.add("Of b", on: "b")
            try await tandem.add("Both know it", on: "b", id: shared, [.from: "b"])
            _ = try await tandem.converge("b")
            let alone = try await workAlone("a", tandem)
            try await tandem.add("Both know it", on: "a", id: shared, [.from: "a"])
            try await tandem.join("a")

            let items = try await tandem.converge("a", "b")
            #expect(items.titles.sorted() == (alone + ["Of b", "Both know it"]).sorted())
            let both = try #require(items.first { $0.id == shared })
            #expect(both.conflicts.map(\.field) == [.from])
            #expect(Set([both[.from], both.conflicts.first?.value]) == ["a", "b"])
            #expect(items.conflicts.count == 1)
        }
    }

    /// 100 items, edits, deletes and moves; the titles that are there afterwards, in order.
    private func workAlone(_ name: String, _ tandem: Tandem) async throws -> [String] {
        let edits = (0..<100).map { EditRequest(set: [.title: .string("Item \($0)")]) }
        let ids = try await tandem.client(name).edit(edits, in: .todo).map { try $0.get().item.id }
        for index in stride(from: 0, to: 100, by: 3) {
            try await tandem.set(ids[index], [.title: .string("Changed \(index)")], on: name)
        }
        for index in stride(from: 1, to: 100, by: 10) { try await tandem.delete(ids[index], on: name) }
        for index in stride(from: 2, to: 100, by: 20) {
            _ = try await tandem.client(name).move(ids[index].text, to: .first)
        }
        let titles = try await tandem.client(name).items(in: .todo).titles
        #expect(titles.count == 90 && titles.first == "Item 82")
        return titles
    }
}
