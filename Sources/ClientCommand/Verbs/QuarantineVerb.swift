import Platform
import TandemClient

/// `tandem quarantine`.
enum QuarantineVerb: Verb {
    static let command = Command(
        "quarantine", "Show, retry or discard edits that the hub has refused", section: Sections.trouble,
        options: [Options.json],
        subcommands: [QuarantineListVerb.command, QuarantineRetryVerb.command, QuarantineDiscardVerb.command],
        runsAlone: true,
        discussion: """
            A refused edit is set aside with its reason; all others go on.

              tandem quarantine
              tandem quarantine retry 5b0d
              tandem quarantine discard 5b0d
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        try await QuarantineListVerb.run(parsed, context)
    }
}

/// `tandem quarantine list`.
enum QuarantineListVerb: Verb {
    static let command = Command(
        "list", "Show the refused edits, with the reasons",
        discussion: "  tandem quarantine list --json")

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let entries = try await context.connection.quarantine()
        if parsed.flag("json") { return try context.print(["quarantined": .array(entries.map(\.json))]) }
        guard !entries.isEmpty else { return try context.print("nothing is in quarantine") }
        try context.print(QuarantineText(entries: entries, screen: context.screen).text)
    }
}

/// `tandem quarantine retry`.
enum QuarantineRetryVerb: Verb {
    static let command = Command(
        "retry", "Offer a refused edit to the hub again", arguments: [QuarantineVerb.id],
        discussion: """
            It is made anew, on what its author had seen: do this once the reason is gone.

              tandem quarantine retry 5b0d
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let id = parsed.required("ID")
        try await context.connection.retryQuarantined(id)
        if parsed.flag("json") { return try context.print([:] as JSON) }
        try context.print("retried; 'tandem status' says whether it waits or was refused again")
    }
}

/// `tandem quarantine discard`.
enum QuarantineDiscardVerb: Verb {
    static let command = Command(
        "discard", "Give a refused edit up for good", arguments: [QuarantineVerb.id],
        discussion: """
            Prints what it held.

              tandem quarantine discard 5b0d
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let entry = try await context.connection.discardQuarantined(parsed.required("ID"))
        if parsed.flag("json") { return try context.print(entry.json) }
        let words = EditText.changes(of: entry.mutation)
        try context.print("discarded: " + context.screen.text(words))
    }
}

extension QuarantineVerb {
    fileprivate static let id = Command.Argument("ID", "Its id in 'tandem quarantine', cut to a unique beginning")
}
