import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

/// A hub, daemons and command lines as real processes, in a directory of their own; all of them end with the test.
final class Tandem {
    /// What a program has printed, and how it ended.
    struct Output {
        let exit: ChildProcess.Exit
        let text: String
        let errors: String
    }

    let directory: String
    let proxy: Proxy
    private(set) var hub: ChildProcess?
    private var daemons: [String: ChildProcess] = [:]
    private var tokens: Set<String> = []
    /// All that were started: those that a test leaves running end with it.
    private(set) var programs: [ChildProcess] = []

    private init(_ directory: String) throws {
        self.directory = directory
        proxy = try Proxy()
    }

    /// Runs a test's body with a serving hub that has the list `todo`, and with daemons of these names, joined to it
    /// through the proxy.
    static func with(
        _ names: [String] = [], joined: Bool = true, isolation: isolated (any Actor)? = #isolation,
        _ body: (Tandem) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let tandem = try Tandem(directory)
            do {
                try await tandem.startHub()
                try await tandem.hubCommand("list", "add", "todo")
                for name in names { try await tandem.startDaemon(name) }
                if joined {
                    for name in names { try await tandem.join(name) }
                }
                try await body(tandem)
            } catch {
                await tandem.end()
                throw error
            }
            await tandem.end()
        }
    }

    // MARK: The hub

    func startHub() async throws {
        // What an earlier hub has left would lead to its port.
        try Files.remove(directory + "/hub/address")
        hub = try start("tandem-hub", ["serve", "--store", directory + "/hub", "--listen", "127.0.0.1:0"], "hub")
        try await leadToHub()
    }

    /// Waits until a hub serves, and has the proxy lead to it.
    func leadToHub() async throws {
        try await eventually("the hub serves") { Files.exists(self.directory + "/hub/address") }
        let address = String(decoding: try Files.read(directory + "/hub/address", maximumBytes: 1_024), as: UTF8.self)
        proxy.lead(to: try #require(UInt16(address.split(separator: ":").last ?? "")))
    }

    /// Ends the hub by a signal and waits until it has ended.
    func stopHub(_ signal: Int32 = SIGTERM) async {
        hub?.kill(signal)
        await hub?.wait()
        hub = nil
    }

    /// Runs a verb of `tandem-hub` on the hub's store, which must succeed.
    @discardableResult
    func hubCommand(_ words: String...) async throws -> Output {
        let output = try await run("tandem-hub", words + ["--store", directory + "/hub"])
        #expect(output.exit == .code(0), "tandem-hub \(words): \(output.errors)")
        return output
    }

    /// A join link through the proxy.
    func link(
        _ name: String, role: String = "editor", lists: [String] = ["todo"], _ more: String...
    ) async throws -> String {
        let words =
            ["token", "add", name, "--role", role, "--address", "http://127.0.0.1:\(proxy.port)"]
            + lists.flatMap { ["--list", $0] } + more
        let output = try await run("tandem-hub", words + ["--store", directory + "/hub"])
        #expect(output.exit == .code(0), "\(output.errors)")
        return output.text.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    }

    // MARK: The daemons

    func startDaemon(_ name: String) async throws {
        daemons[name] = try start("tandemd", ["--store", store(name), "--socket", socket(name)], name)
        try await eventually("\(name) answers") { (try? await self.client(name).status()) != nil }
    }

    /// Ends a daemon by a signal and waits until it has ended.
    func stopDaemon(_ name: String, _ signal: Int32 = SIGTERM) async -> ChildProcess.Exit? {
        daemons[name]?.kill(signal)
        return await daemons.removeValue(forKey: name)?.wait()
    }

    func daemon(_ name: String) throws -> ChildProcess { try #require(daemons[name]) }

    /// Joins a daemon to the hub by a token of its own: of its name the first time, another one each time after.
    func join(_ name: String, role: String = "editor") async throws {
        let token = tokens.insert(name).inserted ? name : "\(name)-\(programs.count)"
        _ = try await client(name).join(link: try await link(token, role: role))
    }

    func store(_ name: String) -> String { directory + "/" + name }
    func socket(_ name: String) -> String { directory + "/" + name + ".sock" }

    /// The daemon's API, for conditions that are awaited.
    func client(_ name: String) -> DaemonConnection { DaemonConnection(socket: socket(name)) }

    // MARK: Programs

    /// Runs the command line against a daemon.
    func tandem(_ name: String, _ words: String...) async throws -> Output { try await tandem(name, words) }

    func tandem(_ name: String, _ words: [String]) async throws -> Output {
        try await run("tandem", ["--socket", socket(name)] + words)
    }

    /// Runs the command line, which must succeed, and gives what it printed.
    @discardableResult
    func done(_ name: String, _ words: String...) async throws -> String {
        let output = try await tandem(name, words)
        #expect(output.exit == .code(0), "tandem \(words): \(output.errors)")
        return output.text
    }

    func start(
        _ program: String, _ words: [String], _ name: String, environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let own = ["HOME": directory, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        let process = try ChildProcess(
            try builtProduct(program), words, environment: environment.merging(own) { given, _ in given },
            directory: directory, name: "\(name)-\(programs.count)")
        programs.append(process)
        return process
    }

    private func run(_ program: String, _ words: [String]) async throws -> Output {
        let process = try start(program, words, program)
        let exit = await process.wait()
        return Output(exit: exit, text: try process.output, errors: try process.errorOutput)
    }

    private func end() async {
        for program in programs { program.kill(SIGKILL) }
        for program in programs { await program.wait() }
        proxy.close()
    }
}

// MARK: Conditions

extension Tandem {
    /// The values of a field of the shown items, in the list's order.
    func values(_ field: FieldName = .title, on name: String, in list: ListName = .todo) async throws -> [JSON] {
        try await client(name).items(in: list).map { $0[field] }
    }

    func item(_ id: String, on name: String) async throws -> Item { try await client(name).inspect(id).item }

    /// Waits until daemons show the same items, conflicts and origins, all accepted by the hub.
    func converge(_ names: String..., in list: ListName = .todo) async throws -> [Item] {
        var shown: [[Item]] = []
        try await eventually(within: .seconds(60), "\(names) converge") {
            for name in names where try await !self.client(name).status().isSynced { return false }
            shown = []
            for name in names { shown.append(try await self.client(name).items(in: list)) }
            return shown.dropFirst().allSatisfy { $0 == shown.first }
        }
        return shown.first ?? []
    }

    /// Waits until a daemon is in a state.
    func reach(_ state: String, _ name: String) async throws {
        try await eventually(within: .seconds(60), "\(name) is \(state)") {
            try await self.client(name).status().state == state
        }
    }
}
