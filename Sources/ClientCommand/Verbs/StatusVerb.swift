import Platform
import TandemClient

/// `tandem status`.
enum StatusVerb: Verb {
    static let command = Command(
        "status", "Show how this machine stands with the hub", section: Sections.sync, options: [Options.json],
        discussion: """
            Says whether everything is synced, what is pending, in conflict or refused, what is wrong and what to do \
            about it. BEHIND is how many changes the hub has that are not here yet.

              tandem status
              tandem status --json | jq .pending
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let report = try await context.connection.status()
        if parsed.flag("json") { return try context.print(report.json) }
        try context.write(Array(StatusText(report: report, screen: context.screen).text.utf8))
    }
}
