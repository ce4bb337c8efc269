import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Processes that are killed", .serialized, .timeLimit(.minutes(3)))
struct CrashProcessTests {
    private static let number = 2_000
    /// `F_SETPIPE_SZ` of fcntl(2), which the C library's module leaves out.
    private static let setPipeSize: Int32 = 1_031

    private static func records(_ range: Range<Int>) -> [UInt8] {
        range.reduce(into: []) { $0 += Array(#"{"id": "record-\#($1)", "title": "Record \#($1)"}\#n"#.utf8) }
    }

    @Test func daemonKilledAmidAnImportKeepsWhatItAnswered() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            let pipe = tandem.directory + "/records"
            #expect(mkfifo(pipe, 0o600) == 0)
            // Open at both ends, so that opening waits for nobody and a reader that is gone is no signal.
            let writing = try FileDescriptor(opening: pipe, O_RDWR)
            #expect(fcntl(writing.number, Self.setPipeSize, 1 << 20) > 0)
            let importing = try tandem.start("tandem", ["--socket", tandem.socket("anna"), "import", pipe], "import")
            // The second batch is there, so the first one was answered.
            try writing.write(Self.records(0..<1_500))
            try await eventually("records are answered") { try await tandem.count(on: "anna") >= 1_000 }
            try writing.write(Self.records(1_500..<Self.number))
            #expect(await tandem.stopDaemon("anna", SIGKILL) == .signal(SIGKILL))
            let ended = try await tandem.end(of: importing)
            // Whether the daemon was asked and did not answer, or was not there to be asked.
            let code: Int32 = ended.exit == .code(3) ? 3 : 1
            ended.expectFailure(code, "imported ", "stopped behind line", hint: "import the file again")
            let answered = try #require(ended.errors.firstNumber(behind: "imported "))
            #expect(answered >= 500)

            try await tandem.startDaemon("anna")

            let kept = try await tandem.client("anna").items(in: .todo)
            #expect(kept.count >= answered)
            #expect(kept.map(\.id.text) == (0..<kept.count).map { "record-\($0)" }, "answered in order, kept in order")
            let file = try tandem.write("records.jsonl", Self.records(0..<Self.number))
            let said = try await tandem.done("anna", "import", file)
            #expect(said == "imported 2000: \(Self.number - kept.count) new, 0 changed, \(kept.count) unchanged\n")
            let shown = try await tandem.converge("anna", "ben")
            #expect(Set(shown.map(\.id.text)) == Set((0..<Self.number).map { "record-\($0)" }))
            #expect(shown.count == Self.number)
            #expect(shown.allSatisfy { $0.conflicts.isEmpty })
        }
    }

    @Test func hubKilledWhileDaemonsPushLosesNothing() async throws {
        try await Tandem.with(["anna", "ben", "cleo"]) { tandem in
            let connections = ["anna", "ben", "cleo"].map { ($0, tandem.client($0)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (name, connection) in connections {
                    group.addTask {
                        for number in 0..<200 {
                            let edit = EditRequest(set: [.title: .string("\(name) \(number)")], expectation: .isNew)
                            _ = try await connection.edit(edit, in: .todo)
                        }
                    }
                }
                for round in 1...3 {
                    try await eventually("items of others arrive") {
                        try await connections[0].1.lists()[0].items >= round * 50
                    }
                    await tandem.stopHub(SIGKILL)
                    try await tandem.startHub()
                }
                try await group.waitForAll()
            }
            let shown = try await tandem.converge("anna", "ben", "cleo")
            let expected = connections.flatMap { name, _ in (0..<200).map { JSON.string("\(name) \($0)") } }
            #expect(shown.count == 600)
            #expect(Set(shown.map { $0[.title] }) == Set(expected))
            #expect(shown.allSatisfy { $0.version > .none && $0.conflicts.isEmpty })
        }
    }

    @Test func daemonKilledAgainAndAgainWhileItEditsKeepsEachAnsweredEdit() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            var answered: Set<JSON> = []
            for round in 0..<4 {
                let connection = tandem.client("anna")
                let editing = Task { () -> [JSON] in  // Ends when the daemon is killed.
                    var titles: [JSON] = []
                    while true {
                        let title = JSON.string("\(round) \(titles.count)")
                        let edit = EditRequest(set: [.title: title], expectation: .isNew)
                        guard (try? await connection.edit(edit, in: .todo)) != nil else { return titles }  // killed
                        titles.append(title)
                    }
                }
                let before = try await tandem.count(on: "anna")
                try await eventually("edits are answered") { try await tandem.count(on: "anna") > before + 10 }
                _ = await tandem.stopDaemon("anna", SIGKILL)
                answered.formUnion(await editing.value)
                try await tandem.startDaemon("anna")
            }
            let shown = try await tandem.converge("anna", "ben").map { $0[.title] }
            #expect(answered.isSubset(of: shown))
            // One edit a round may be stored and its answer lost.
            #expect(shown.count - answered.count <= 4)
            #expect(Set(shown).count == shown.count)
        }
    }
}
