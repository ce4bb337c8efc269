import Platform
import TandemClient

/// `tandem leave`.
enum LeaveVerb: Verb {
    static let command = Command(
        "leave", "Stop sharing through the hub", section: Sections.sync, options: [Options.json],
        discussion: """
            The lists stay on this machine, edits that the hub has not got included. Joining again later merges both \
            sides.

              tandem leave
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let report = try await context.connection.leave()
        if parsed.flag("json") { return try context.print(report.json) }
        let lists = count(report.lists.count, "list") + (report.lists.count == 1 ? " stays" : " stay")
        try context.print("left the hub; \(lists) on this machine")
    }
}
