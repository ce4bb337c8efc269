import Platform
import TandemClient

/// `tandem watch`.
enum WatchVerb: Verb {
    static let command = Command(
        "watch", "Show changes as they come", section: Sections.items, options: [Options.jsonLines],
        arguments: [.init("LIST", "Only changes of this list", .optional)],
        discussion: """
            Signs: + added, ~ changed, > moved, - deleted, = accepted by the hub. Ends with Ctrl-C. Says when the \
            daemon is lost and when it is back; what changed meanwhile is shown then. --json prints a report a line.

              tandem watch
              tandem watch work --json | jq -c .changes[].item.fields
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
    }
}
