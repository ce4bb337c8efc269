import Platform
import TandemClient

/// `tandem conflicts`.
enum ConflictsVerb: Verb {
    static let command = Command(
        "conflicts", "Show what was changed in two ways at once", section: Sections.trouble, options: [Options.json],
        arguments: [.init("LIST", "Only conflicts of this list", .optional)],
        discussion: """
            Both values are kept, on every machine, until someone settles it: with 'tandem resolve', or by writing the \
            field anew.

              tandem conflicts
              tandem conflicts work --json
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let list = try parsed.argument("LIST").map { try ListName($0) }
        let reports = try await context.connection.conflicts(in: list)
        if parsed.flag("json") { return try context.print(["conflicts": .array(reports.map(\.json))]) }
        guard !reports.isEmpty else { return try context.print("no conflicts") }
        let status = try await context.connection.status()
        var screen = context.screen
        screen.clockOffset = status.clockOffset
        // A replica id that breaks its rule names nobody.
        let own = try? ReplicaID(status.replica)
        try context.print(ConflictText(reports: reports, own: own, screen: screen).text)
    }
}
