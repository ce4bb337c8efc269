import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Programs as services", .serialized, .timeLimit(.minutes(2)))
struct ServiceProcessTests {
    /// Far more than the two seconds that a stop may take, for a machine that is busy with other tests.
    private static let patience = Duration.seconds(10)

    /// Sends SIGTERM, and expects a clean end in time.
    private func expectCleanEnd(
        _ process: ChildProcess, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let start = ContinuousClock.now
        process.kill(SIGTERM)
        try await eventually(within: Self.patience, "\(name) ends", sourceLocation: sourceLocation) {
            process.exit != nil
        }
        print("\(name) ended \(ContinuousClock.now - start) after SIGTERM")
        let errors = try process.errorOutput
        #expect(process.exit == .code(0), "\(errors)", sourceLocation: sourceLocation)
    }

    @Test func daemonEndsOnRequestAmidStreamsAndAnImport() async throws {
        try await Tandem.with(["anna"]) { tandem in
            let watching = try tandem.start("tandem", ["--socket", tandem.socket("anna"), "watch"], "watch")
            let lines = (0..<5_000).map { #"{"id": "r\#($0)", "title": "Record \#($0)"}"# }
            let file = try tandem.write("records.jsonl", lines.joined(separator: "\n"))
            let importing = try tandem.start("tandem", ["--socket", tandem.socket("anna"), "import", file], "import")
            try await eventually("the import runs and is seen") {
                try watching.output.contains("Record 1") && importing.exit == nil
            }
            try await expectCleanEnd(try tandem.daemon("anna"), "tandemd")
            #expect(!Files.exists(tandem.socket("anna")))
            watching.kill(SIGKILL)
            let ended = try await tandem.end(of: importing)
            _ = await tandem.stopDaemon("anna")

            try await tandem.startDaemon("anna")
            let kept = try await tandem.count(on: "anna")
            #expect(kept >= ended.errors.firstNumber(behind: "imported ") ?? 1, "\(ended.errors)")
            try await tandem.done("anna", "import", file)
            #expect(try await tandem.count(on: "anna") == lines.count)
        }
    }

    @Test func hubEndsOnRequestAmidStreamsAndPushes() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            for name in ["anna", "ben"] { try await tandem.reach("live", name) }
            let lines = (0..<3_000).map { #"{"id": "r\#($0)", "title": "Record \#($0)"}"# }
            try await tandem.done("anna", "import", try tandem.write("r.jsonl", lines.joined(separator: "\n")))
            try await eventually("records arrive") { try await tandem.count(on: "ben") > 0 }
            try await expectCleanEnd(try #require(tandem.hub), "tandem-hub")
            await tandem.stopHub()
            try await tandem.startHub()
            #expect(try await tandem.converge("anna", "ben").count == lines.count)
        }
    }

    @Test func idleProgramsEndOnRequestAndOnInterrupt() async throws {
        try await Tandem.with(["anna"]) { tandem in
            try await tandem.reach("live", "anna")
            #expect(await tandem.stopDaemon("anna", SIGINT) == .code(0))
            try await expectCleanEnd(try #require(tandem.hub), "idle tandem-hub")
        }
    }

    @Test func daemonReadsItsLogLevelAgainAndGoesOn() async throws {
        try await Tandem.with { tandem in
            let file = try tandem.write("tandemd.json5", "{logLevel: 'error'}")
            let words = ["--config", file, "--store", tandem.store("anna"), "--socket", tandem.socket("anna")]
            let daemon = try tandem.start("tandemd", words, "anna")
            try await eventually("anna answers") { (try? await tandem.client("anna").status()) != nil }  // not yet up
            #expect(try daemon.errorOutput.isEmpty)
            _ = try tandem.write("tandemd.json5", "{logLevel: 'debug'}")
            daemon.kill(SIGHUP)
            try await eventually("it is read") { try daemon.errorOutput.contains("reloaded") }
            try await tandem.done("anna", "add", "Milk")
            #expect(try daemon.errorOutput.contains("level=debug msg=request"))
            #expect(try !daemon.errorOutput.contains("Milk"))

            _ = try tandem.write("tandemd.json5", "{logLevl: 'info'}")
            daemon.kill(SIGHUP)
            try await eventually("the mistake is told") {
                try daemon.errorOutput.contains("the configuration is kept as it was")
            }
            #expect(try daemon.errorOutput.contains("logLevl: is not a key that is known"))
            try await tandem.done("anna", "add", "Bread")
            try await expectCleanEnd(daemon, "reloaded tandemd")
        }
    }

    @Test func hubReadsItsSettingsAgainAndGoesOn() async throws {
        let small = "limits: {itemBytes: 1024, batchBytes: 66560}"
        try await Tandem.with(["anna"], joined: false) { tandem in
            await tandem.stopHub()
            let file = try tandem.write("hub.json5", "{logLevel: 'error', name: 'First', \(small)}")
            try Files.remove(tandem.directory + "/hub/address")
            let words = ["serve", "--config", file, "--store", tandem.directory + "/hub", "--listen", "127.0.0.1:0"]
            let hub = try tandem.start("tandem-hub", words, "hub")
            try await tandem.leadToHub()
            try await tandem.join("anna")
            #expect(try await tandem.client("anna").status().hubName == "First")
            #expect(try hub.errorOutput.isEmpty)
            _ = try tandem.write("hub.json5", "{logLevel: 'info', name: 'Second'}")
            hub.kill(SIGHUP)
            try await eventually("it is read") { try hub.errorOutput.contains("reloaded") }
            try await tandem.done("anna", "add", "Milk")
            try await tandem.done("anna", "sync")
            #expect(try await tandem.client("anna").status().hubName == "Second")
            #expect(try hub.errorOutput.contains("level=info msg=request"))
            try await tandem.done("anna", "add", String(repeating: "x", count: 100_000))
            try await tandem.done("anna", "sync")
            #expect(try await tandem.client("anna").status().quarantined == 0)

            let broken = try tandem.write("broken.pem", "no certificate")
            let tls = "tls: {certificate: '\(broken)', key: '\(broken)'}"
            _ = try tandem.write("hub.json5", "{logLevel: 'info', name: 'Third', \(tls)}")
            hub.kill(SIGHUP)
            try await eventually("the mistake is told") {
                try hub.errorOutput.contains("the configuration is kept as it was")
            }
            try await tandem.done("anna", "add", "Bread")
            try await tandem.done("anna", "sync")
            #expect(try await tandem.client("anna").status().hubName == "Second")
            try await expectCleanEnd(hub, "reloaded tandem-hub")
        }
    }

    @Test(arguments: ["tandemd", "tandem-hub"])
    func supervisorIsToldWhatGoesOn(program: String) async throws {
        try await Tandem.with { tandem in
            await tandem.stopHub()
            let supervisor = try Supervisor(tandem.directory + "/notify")
            let words =
                program == "tandemd"
                ? ["--store", tandem.store("anna"), "--socket", tandem.socket("anna")]
                : ["serve", "--store", tandem.directory + "/hub", "--listen", "127.0.0.1:0"]
            let process = try tandem.start(
                program, words, program,
                environment: ["NOTIFY_SOCKET": tandem.directory + "/notify", "WATCHDOG_USEC": "100000"])
            try await eventually("it is ready") { supervisor.received { $0.hasPrefix("READY=1\nSTATUS=") } == 1 }
            try await eventually("it shows that it lives") { supervisor.received { $0 == "WATCHDOG=1" } >= 3 }
            process.kill(SIGHUP)
            try await eventually("it reads again") {
                supervisor.received { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } == 1
            }
            try await eventually("it is ready again") { supervisor.received { $0.hasPrefix("READY=1") } == 2 }
            try await expectCleanEnd(process, "watched \(program)")
            #expect(supervisor.received { $0.hasPrefix("STOPPING=1") } == 1)
            let order = supervisor.messages.compactMap { $0.split(separator: "=").first }.filter { $0 != "WATCHDOG" }
            #expect(order == ["READY", "RELOADING", "READY", "STOPPING"])
        }
    }

    @Test func programsServeTheSocketsThatTheyAreGiven() async throws {
        try await Tandem.with { tandem in
            await tandem.stopHub()
            try Files.remove(tandem.directory + "/hub/address")
            let given = try Listening(tandem.socket("anna"))
            let daemon = try given.start("tandemd", ["--store", tandem.store("anna")], in: tandem.directory)
            try await eventually("it answers") { (try? await tandem.client("anna").status()) != nil }  // not yet up
            try await tandem.done("anna", "add", "Milk")
            let port = try Listening()
            let hub = try port.start(
                "tandem-hub", ["serve", "--store", tandem.directory + "/hub"], in: tandem.directory)
            try await tandem.leadToHub()
            try await tandem.join("anna")
            #expect(try await tandem.converge("anna").map { $0[.title] } == ["Milk"])
            try await expectCleanEnd(daemon, "activated tandemd")
            try await expectCleanEnd(hub, "activated tandem-hub")
            // It belongs to whoever made it.
            #expect(Files.exists(tandem.socket("anna")))
        }
    }
}

/// The receiving end of `NOTIFY_SOCKET`.
private final class Supervisor {
    private let descriptor: Int32
    private(set) var messages: [String] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isBound = try UnixSocketAddress(path).withSocketAddress { [descriptor] in bind(descriptor, $0, $1) == 0 }
        try #require(isBound)
    }

    deinit { close(descriptor) }

    /// How many messages of a kind have come.
    func received(_ isMeant: (String) -> Bool) -> Int {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return messages.count { isMeant($0) }
    }
}

/// A socket that listens before the program is there, as a socket unit's does.
private final class Listening {
    private let descriptor: Int32

    /// A Unix socket.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isListening = try UnixSocketAddress(path).withSocketAddress { [descriptor] in
            bind(descriptor, $0, $1) == 0 && listen(descriptor, 16) == 0
        }
        try #require(isListening)
    }

    /// A TCP socket on any port of every address: what listens without being bound is bound so (listen(2)).
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(listen(descriptor, 16) == 0)
    }

    deinit { close(descriptor) }

    /// Starts a program whose descriptor 3 is the socket: through a shell, which knows its process id before it becomes
    /// the program.
    func start(_ program: String, _ words: [String], in directory: String) throws -> ChildProcess {
        _ = fcntl(descriptor, F_SETFD, 0)
        defer { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let script = #"export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@" 3<&\#(descriptor)"#
        return try ChildProcess(
            "/bin/bash", ["-c", script, try builtProduct(program)] + words, environment: ["HOME": directory],
            directory: directory, name: "activated-\(program)")
    }
}
