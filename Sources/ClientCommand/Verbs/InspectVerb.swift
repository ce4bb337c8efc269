import Platform
import TandemClient

/// `tandem inspect`.
enum InspectVerb: Verb {
    static let command = Command(
        "inspect", "Show all that is known of an item", section: Sections.items,
        options: [Options.inList, Options.json], arguments: [Arguments.id],
        discussion: """
            Each field with its value, version, writer and time; what is pending, with the hub's value beside it; open \
            conflicts; refused edits; and where the item stands. Finds deleted items too.

              tandem inspect 3f2a
              tandem inspect 3f2a --json | jq .pending
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let report = try await context.find(parsed.required("ID"), in: parsed.value("list"))
        if parsed.flag("json") { return try context.print(report.json) }
        let status = try await context.connection.status()
        var screen = context.screen
        screen.clockOffset = status.clockOffset
        try context.print(ItemReportText(report: report, status: status, screen: screen).text)
    }
}
