import Glibc
import HTTP
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing
import Wire

@Suite(
    "Full disks", .serialized, .timeLimit(.minutes(2)),
    .enabled(if: SmallDisk.isPossible, "mounting a file system is for root"))
struct StoreFullDiskProcessTests {
    private static let note = "note=" + String(repeating: "x", count: 100_000)

    /// Adds items until one is refused, and gives the refusal.
    private func addUntilRefused(_ tandem: Tandem, _ name: String) async throws -> (added: Int, Tandem.Output) {
        for number in 0..<200 {
            let output = try await tandem.tandem(name, "add", "Item \(number)", Self.note)
            if output.exit != .code(0) { return (number, output) }
        }
        Issue.record("the disk does not get full")
        throw CancellationError()
    }

    @Test func daemonOnAFullDiskRefusesEditsUntilThereIsRoom() async throws {
        try await Tandem.with(["ben"]) { tandem in
            try await SmallDisk.with(at: tandem.store("anna"), megabytes: 6) { disk in
                try await tandem.startDaemon("anna")
                try await tandem.join("anna")
                try await tandem.done("anna", "add", "Before")
                _ = try await tandem.converge("anna", "ben")
                tandem.proxy.become(.cut)
                try await tandem.reach("offline", "anna")
                try await tandem.done("anna", "add", "Pending")
                try disk.fill()
                let (added, refusal) = try await addUntilRefused(tandem, "anna")
                refusal.expectFailure(1, "full", hint: "make room on the disk")
                let output = try await tandem.tandem("anna", "add", "--json", "Again", Self.note)
                output.expectFailure(1, "full", hint: "make room on the disk")

                // Reading works, and nothing that was answered is gone.
                let status = try await tandem.client("anna").status()
                #expect(status.pending == added + 1)
                #expect(try await tandem.count(on: "anna") == added + 2)
                #expect(try await tandem.done("anna", "ls").contains("Pending"))
                tandem.proxy.become(.fair)

                try disk.clear()
                try await eventually("edits work again by themselves") {
                    try await tandem.tandem("anna", "add", "After").exit == .code(0)
                }
                let shown = try await tandem.converge("anna", "ben")
                #expect(shown.count == added + 3)
                #expect(shown.filter { $0[.title] == "After" }.count == 1)
                _ = await tandem.stopDaemon("anna")
            }
        }
    }

    @Test func daemonOnAFullDiskTellsTheCodeToPrograms() async throws {
        try await Tandem.with { tandem in
            try await SmallDisk.with(at: tandem.store("anna"), megabytes: 4) { disk in
                try await tandem.startDaemon("anna")
                try disk.fill()
                _ = try await addUntilRefused(tandem, "anna")
                let note = JSON.string(String(repeating: "x", count: 100_000))
                let edit = EditRequest(set: [.title: note], expectation: .isNew)
                let connection = tandem.client("anna")
                let error = await #expect(throws: DaemonError.self) { _ = try await connection.edit(edit, in: .todo) }
                #expect(error?.code == "disk-full")
                // A file that is imported stops, says so, and can be imported again.
                let lines = (0..<50).map { #"{"id": "i\#($0)", "title": "\#($0)", "note": \#(note.text)}"# }
                let file = try tandem.write("more.jsonl", lines.joined(separator: "\n"))
                let stopped = try await tandem.tandem("anna", "import", file)
                stopped.expectFailure(1, "full", hint: "make room")
                try disk.clear()
                let before = try await tandem.count(on: "anna")
                _ = await tandem.stopDaemon("anna", SIGKILL)
                try await tandem.startDaemon("anna")
                #expect(try await tandem.count(on: "anna") == before)
                _ = await tandem.stopDaemon("anna")
            }
        }
    }

    /// Runs a test's body with a hub on a disk that can be filled.
    private func withSmallHub(_ names: [String], _ body: (Tandem, SmallDisk) async throws -> Void) async throws {
        try await Tandem.with(names, joined: false) { tandem in
            await tandem.stopHub()
            try await SmallDisk.with(at: tandem.directory + "/hub", megabytes: 6) { disk in
                try await tandem.startHub()
                try await tandem.hubCommand("list", "add", "todo")
                for name in names { try await tandem.join(name) }
                try await body(tandem, disk)
                await tandem.stopHub()
            }
        }
    }

    @Test func hubOnAFullDiskAnswersPushesWith507() async throws {
        try await withSmallHub([]) { tandem, disk in
            let token = try JoinLink(try await tandem.link("pusher")).token
            try disk.fill()
            let title = String(repeating: "x", count: 100_000)
            var n: Int64 = 1
            while n < 100, case let response = try await tandem.push(title: title, n: n, token: token) {
                guard response.status == .ok else {
                    #expect(response.status.code == 507)
                    #expect(response.headers["Retry-After"] != nil)
                    #expect(try JSON(parsing: response.bytes).object?["code"] == "disk-full")
                    break
                }
                n += 1
            }
            #expect(n < 100)
            #expect(try await tandem.push(title: title, n: n, token: token).status.code == 507)
            // Reading goes on.
            #expect(try await tandem.hubCommand("list", "ls", "--json").text.contains(#""head":\#(n - 1)"#))
            try disk.clear()
            #expect(try await tandem.push(title: title, n: n, token: token).status == .ok)
        }
    }

    @Test func hubOnAFullDiskMakesReplicasWait() async throws {
        try await withSmallHub(["anna", "ben"]) { tandem, disk in
            try await tandem.done("anna", "add", "Before")
            _ = try await tandem.converge("anna", "ben")
            try disk.fill()
            for number in 0..<100 {
                try await tandem.done("anna", "add", "Item \(number)", Self.note)
                if try await tandem.client("anna").status().problem != nil { break }
            }
            try await eventually("anna is told of the hub's disk") {
                try await tandem.client("anna").status().problem?.message.contains("disk is full") ?? false
            }
            let status = try await tandem.client("anna").status()
            #expect(status.pending > 0)
            #expect(status.state == "offline")
            try await tandem.tandem("anna", "sync").expectFailure(
                1, "the hub's disk is full", hint: "the daemon tries again")
            try await tandem.done("anna", "add", "Still possible")

            try disk.clear()
            try await eventually("the hub takes edits again") {
                try await tandem.tandem("anna", "sync").exit == .code(0)
            }
            let shown = try await tandem.converge("anna", "ben")
            #expect(shown.last?[.title] == "Still possible")
            #expect(Set(shown.map(\.id)).count == shown.count)
        }
    }
}
