import Platform
import TandemClient

/// `tandem leave`.
enum LeaveVerb: Verb {
    static let command = Command(
        "leave", "Stop sharing through the hub", section: Sections.sync, options: [Options.json],
        discussion: """
            The lists stay on this machine, edits that the hub has not got included. Joining again later merges both \
            sides; a link that was used is good for that as long as its token is valid.

              tandem leave
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let report = try await context.connection.leave()
        if parsed.flag("json") { return try context.print(report.json) }
        try context.print("left the hub; the lists stay on this machine")
    }
}
