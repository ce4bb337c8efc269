import Glibc
import Platform
import TandemClient

/// The program `tandem`: its verbs, and the way from words to a verb.
enum Tandem {
    /// The verbs by the words that name them, in the order of the help.
    static let verbs: [(words: String, verb: any Verb.Type)] = [
        ("join", JoinVerb.self), ("leave", LeaveVerb.self), ("status", StatusVerb.self), ("sync", SyncVerb.self),
        ("lists", ListsVerb.self), ("lists add", ListsAddVerb.self), ("ls", LsVerb.self), ("add", AddVerb.self),
        ("set", SetVerb.self), ("done", DoneVerb.self), ("rm", RmVerb.self), ("move", MoveVerb.self),
        ("inspect", InspectVerb.self), ("watch", WatchVerb.self), ("conflicts", ConflictsVerb.self),
        ("resolve", ResolveVerb.self), ("quarantine", QuarantineVerb.self),
        ("quarantine list", QuarantineListVerb.self), ("quarantine retry", QuarantineRetryVerb.self),
        ("quarantine discard", QuarantineDiscardVerb.self), ("import", ImportVerb.self), ("export", ExportVerb.self),
    ]

    static let command = Command(
        "tandem", "Lists that are the same on every machine, offline or not",
        options: [
            .value("socket", "PATH", "Where the daemon listens (default: TANDEM_SOCKET, else this user's daemon)"),
            .flag("version", "Tell the version"),
        ],
        subcommands: verbs.filter { !$0.words.contains(" ") }.map { $0.verb.command }, runsAlone: true,
        discussion: """
            Talks to the daemon, tandemd, which keeps the lists on this machine and syncs them. LIST may be left out: \
            then it is the first list. An ID may be cut to a unique beginning, or to a unique end of 4 or more \
            characters, as 'tandem ls' shows it.

            Exit codes: 0 done, 1 failed, 2 usage, 3 daemon not reachable, 4 no such item, list or conflict, 5 timed \
            out waiting.
            """)

    /// Runs what a command line asks for.
    static func run(_ parsed: Parsed) async throws {
        if parsed.flag("version") { return print("tandem \(Program.version)") }
        guard !parsed.verbs.isEmpty else { throw parsed.mistake("a command is missing") }
        let connection = parsed.value("socket").map { DaemonConnection(socket: $0) } ?? .local()
        do {
            try await run(parsed, CommandContext(connection))
        } catch let end as EndedWithCode {
            exit(end.code)
        }
    }

    /// Runs a verb; for tests, with a context of theirs.
    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let words = parsed.verbs.joined(separator: " ")
        guard let verb = verbs.first(where: { $0.words == words })?.verb else {
            preconditionFailure("the verb '\(words)' is declared and not implemented")
        }
        try await verb.run(parsed, context)
    }
}
