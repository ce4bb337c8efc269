@testable import ClientCommand
import HTTP
import Platform
import Synchronization
import TandemClient
import Wire

/// 2026-11-30T14:00:00Z, the moment of every test of the command line.
let testNow: Int64 = 1_796_047_200_000

extension Terminal {
    /// A terminal of a usual width without colours, so that texts are readable in tests.
    static let colourless = Terminal(isTerminal: true, width: 80, usesStyles: false)
}

extension Screen {
    static let forTests = Screen(terminal: .colourless, now: testNow)
}

/// What a command line printed, and how it ended.
struct CommandOutcome: Equatable {
    var output = ""
    var errors = ""
    var code: Int32 = 0
}

/// Runs the command line in this process against a handler, as `main` does.
func runTandem(
    _ words: [String], _ daemon: any Handler, terminal: Terminal = .colourless
) async throws -> CommandOutcome {
    try await runTandem(words, DaemonConnection(transport: HandlerTransport(daemon)), terminal: terminal)
}

func runTandem(
    _ words: [String], _ connection: DaemonConnection, terminal: Terminal = .colourless
) async throws -> CommandOutcome {
    let output = Mutex<[UInt8]>([])
    let errors = Mutex("")
    let time = ManualTime(now: testNow)
    let context = CommandContext(
        connection, screen: Screen(terminal: terminal, now: testNow), errorTerminal: .plain, time: time,
        write: { bytes in output.withLock { $0 += bytes } }, complain: { text in errors.withLock { $0 += text } })
    var outcome = CommandOutcome()
    do {
        switch try Tandem.command.parse(words) {
        case .help(let text): outcome.output = text
        case .run(let parsed): try await Tandem.run(parsed, context)
        }
    } catch let error as UsageError {
        outcome = CommandOutcome(errors: "\(error)", code: UsageError.exitCode)
    } catch let end as EndedWithCode {
        outcome.code = end.code
    } catch {
        let report = ErrorReport.of(error) ?? Program.Report("\(error)")
        outcome = CommandOutcome(errors: report.message, code: report.exitCode)
    }
    outcome.output += String(decoding: output.withLock { $0 }, as: UTF8.self)
    outcome.errors += errors.withLock { $0 }
    return outcome
}

/// A program that was asked for what it cannot be asked.
func parsed(_ words: String...) throws -> Parsed {
    guard case .run(let parsed) = try Tandem.command.parse(words) else { throw UsageError("was help", command: "") }
    return parsed
}

enum Sample {
    static let laptop = ReplicaID(random: (1, 1))
    static let phone = ReplicaID(random: (2, 2))
    static let names = [phone: "phone"]

    /// An id of the form that is minted, with this end.
    static func id(_ end: String) throws -> ItemID {
        try ItemID(String("01a22ceb-d592-799e-8f7f-5086e1000000".dropLast(end.count)) + end)
    }

    static func origin(
        _ version: Int64, by replica: ReplicaID = laptop, minutesAgo: Int64 = 5
    ) -> Origin {
        Origin(
            version: Version(version), replica: replica, n: max(1, version),
            at: Timestamp(milliseconds: testNow - minutesAgo * 60_000))
    }

    static func item(
        _ id: ItemID, version: Int64 = 7, _ fields: FieldMap<JSON>, pending: Set<FieldName> = []
    ) -> Item {
        var item = Item(id: id)
        item.version = Version(version)
        for (name, value) in fields.entries {
            item.fields[name] = Field(value, origin(pending.contains(name) ? 0 : version))
        }
        return item
    }

    static func conflict(_ id: String, _ field: FieldName, _ value: JSON) -> Conflict {
        Conflict(
            id: ConflictID(id), field: field, value: value, origin: origin(6, by: phone, minutesAgo: 180),
            opened: Version(7))
    }

    static func list(
        _ name: ListName = .todo, kind: ListKind = .todo, role: String? = "editor", items: Int = 3, pending: Int = 0,
        conflicts: Int = 0, quarantined: Int = 0, lag: Int64? = 0
    ) -> StatusReport.List {
        StatusReport.List(
            name: name, kind: kind, role: role, items: items, pending: pending, conflicts: conflicts,
            quarantined: quarantined, lag: lag)
    }

    static func status(
        _ state: String = "live", lists: [StatusReport.List] = [list()], isCaughtUp: Bool = true,
        problem: StatusReport.Problem? = nil, nextTry: Int64? = nil, clockOffset: Int64 = 0
    ) -> StatusReport {
        let isJoined = state != "detached"
        return StatusReport(
            state: state, replica: laptop.text, name: "laptop", store: "/var/lib/tandem",
            hubAddress: isJoined ? "http://hub.example:8440" : nil, hubName: isJoined ? "Home hub" : nil,
            isCaughtUp: isCaughtUp, lists: lists, problem: problem,
            lastContact: isJoined ? Timestamp(milliseconds: testNow - 180_000) : nil,
            nextTry: nextTry.map { Timestamp(milliseconds: testNow + $0) }, clockOffset: clockOffset, version: "0.1.0")
    }
}
