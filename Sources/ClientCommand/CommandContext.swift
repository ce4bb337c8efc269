import Glibc
import Platform
import TandemClient

/// What a verb works with: the way to the daemon, and where its words go.
struct CommandContext: Sendable {
    let connection: DaemonConnection
    /// What standard output is, and the moment.
    let screen: Screen
    let errorTerminal: Terminal
    let time: any TimeSource
    /// Writes to standard output; throws where it cannot be written.
    let write: @Sendable ([UInt8]) throws -> Void
    /// Writes to standard error.
    let complain: @Sendable (String) -> Void

    init(
        _ connection: DaemonConnection, screen: Screen, errorTerminal: Terminal, time: any TimeSource,
        write: @escaping @Sendable ([UInt8]) throws -> Void, complain: @escaping @Sendable (String) -> Void
    ) {
        self.connection = connection
        self.screen = screen
        self.errorTerminal = errorTerminal
        self.time = time
        self.write = write
        self.complain = complain
    }

    /// The context of this process.
    init(_ connection: DaemonConnection) {
        let time = SystemTime()
        self.init(
            connection, screen: Screen(terminal: .standardOutput, now: time.now), errorTerminal: .standardError,
            time: time, write: Self.writeToStandardOutput,
            complain: { Output.standardError($0) })
    }

    /// Prints text that is already safe to show, with a newline behind it.
    func print(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    /// Prints one line of JSON, as the local API has it.
    func print(_ json: JSON) throws { try write(json.encoded() + [UInt8(ascii: "\n")]) }

    private static func writeToStandardOutput(_ bytes: [UInt8]) throws {
        guard Output.write(bytes, to: STDOUT_FILENO) else {
            throw PlatformError(code: errno, message: "cannot write to standard output")
        }
    }
}

extension CommandContext {
    /// The list of this name, or the first list where none is named.
    func list(named name: String?) async throws -> StatusReport.List {
        let name = try name.map { try ListName($0) }
        let lists = try await connection.lists()
        guard let found = name == nil ? lists.first : lists.first(where: { $0.name == name }) else {
            throw DaemonError(
                code: "no-such-list", name.map { "there is no list '\($0)'" } ?? "there are no lists yet",
                hint: "'tandem lists' shows the lists, 'tandem lists add NAME' adds one")
        }
        return found
    }

    /// The item that an id as a person types it stands for, in one list or in all.
    func find(_ id: String, in list: String?) async throws -> ItemReport {
        try await connection.inspect(id, in: try list.map { try ListName($0) })
    }

    /// The items of several ids: all of them, or none.
    func find(_ ids: [String], in list: String?) async throws -> [ItemReport] {
        var reports: [ItemReport] = []
        for id in ids { reports.append(try await find(id, in: list)) }
        return reports
    }
}
