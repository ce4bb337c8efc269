import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

/// Daemons that are connected: what one is told reaches the others by itself.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SyncProcessTests {
    @Test func anEditReachesEveryOtherMachineByItself() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            try await tandem.done("a", "add", "Buy milk", "due=2026-12-24")
            try await eventually("b and c have it") {
                let b = try await tandem.values(on: "b")
                let c = try await tandem.values(on: "c")
                return b == ["Buy milk"] && c == ["Buy milk"]
            }
            let item = try #require(try await tandem.converge("a", "b", "c").first)
            try await tandem.done("b", "done", item.id.text)
            try await eventually("a and c see it done") {
                let a = try await tandem.item(item.id.text, on: "a")
                let c = try await tandem.item(item.id.text, on: "c")
                return [a, c].allSatisfy { $0[.isCompleted] == true }
            }
            #expect(try await tandem.converge("a", "b", "c").count == 1)
        }
    }

    @Test(arguments: [false, true])
    func watchPrintsWhatOthersChangeAndEndsWellByATerminateSignal(isJSON: Bool) async throws {
        try await Tandem.with(["a", "c"]) { tandem in
            let known = try await tandem.add("Known", on: "a")
            _ = try await tandem.converge("a", "c")
            let words = ["--socket", tandem.socket("c"), "watch"] + (isJSON ? ["--json"] : [])
            let watch = try tandem.start("tandem", words, "watch")
            var round: Int64 = 0
            try await eventually("it watches") {
                round += 1
                try await tandem.set(known, [.round: .int(round)], on: "c")
                return try !watch.output.isEmpty
            }
            try await tandem.done("a", "add", "Water plants")
            try await eventually("it says so") { try watch.output.contains("Water plants") }
            let lines = try watch.output.split(separator: "\n").filter { $0.contains("Water plants") }
            #expect(lines.count == 1)
            if isJSON {
                let report = try JSON(parsing: String(lines.first ?? "")).object
                #expect(report?["source"] == "remote" && report?["list"] == "todo")
                #expect(report?["changes"]?.array?.map { $0.object?["kind"] } == ["inserted"])
            } else {
                #expect(lines.first?.contains("+  Water plants") == true && lines.first?.contains("remote") == true)
            }
            watch.kill(SIGTERM)
            #expect(await watch.wait() == .code(0))
            #expect(try watch.errorOutput == "")
        }
    }

    @Test func watchGoesOnWhenTheDaemonComesBack() async throws {
        try await Tandem.with(["a", "c"]) { tandem in
            let known = try await tandem.add("Known", on: "a")
            _ = try await tandem.converge("a", "c")
            let watch = try tandem.start("tandem", ["--socket", tandem.socket("c"), "watch"], "watch")
            var round: Int64 = 0
            try await eventually("it watches") {
                round += 1
                try await tandem.set(known, [.round: .int(round)], on: "c")
                return try !watch.output.isEmpty
            }
            _ = await tandem.stopDaemon("c")
            try await eventually("it says that the daemon is lost") { try watch.errorOutput.contains("is lost") }
            try await tandem.done("a", "add", "While c was away")
            try await tandem.startDaemon("c")
            try await eventually("it says what has come meanwhile") { try watch.output.contains("While c was away") }
            #expect(try watch.errorOutput.contains("the daemon is back"))
            #expect(watch.exit == nil)
        }
    }

    @Test func aSlowNetworkBringsEverythingInTheEnd() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            tandem.proxy.become(.slow(milliseconds: 100))
            for number in 0..<10 {
                try await tandem.add("a \(number)", on: "a")
                try await tandem.add("b \(number)", on: "b")
            }
            let items = try await tandem.converge("a", "b")
            #expect(items.count == 20 && items.conflicts.isEmpty)
        }
    }

    /// The hub has committed, its answers do not come: what is repeated is applied once.
    @Test func answersLostAfterTheHubHasCommittedDoubleNothing() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let counter = try await tandem.add("Counter", on: "a", [.count: 0])
            _ = try await tandem.converge("a", "b")
            tandem.proxy.become(.answersToChangesLost)
            for round in 0..<20 {
                try await tandem.add("Item \(round)", on: "a")
                _ = try await tandem.client("a").edit(
                    EditRequest(item: counter, increments: [.count: 1]), in: .todo)
            }
            try await eventually("answers were lost") { tandem.proxy.lostAnswers >= 3 }
            try await eventually("the hub has all edits") { try await tandem.history(of: counter).count == 21 }
            try await eventually("b has them") { try await tandem.item(counter.text, on: "b")[.count] == 20 }
            #expect(try await tandem.client("a").status().pending > 0)
            tandem.heal()
            let items = try await tandem.converge("a", "b")
            #expect(items.titles.sorted() == (["Counter"] + (0..<20).map { "Item \($0)" }).sorted())
            #expect(try await tandem.item(counter.text, on: "b")[.count] == 20)
            #expect(items.conflicts.isEmpty)
            #expect(try await tandem.client("a").status().pending == 0)
        }
    }

    @Test func twentyProgramsAtOnceAddTwentyItems() async throws {
        try await Tandem.with(["a", "b", "c"]) { tandem in
            let programs = try (0..<20).map { number in
                try tandem.start("tandem", ["--socket", tandem.socket("a"), "add", "Item \(number)"], "add")
            }
            for program in programs {
                #expect(await program.wait() == .code(0))
                #expect(try program.errorOutput == "")
            }
            let titles = try await tandem.converge("a", "b", "c").titles
            #expect(titles.sorted() == (0..<20).map { "Item \($0)" }.sorted())
        }
    }
}
