import Platform
import TandemClient

/// `tandem sync`.
enum SyncVerb: Verb {
    static let command = Command(
        "sync", "Sync now, and wait until everything is synced", section: Sections.sync,
        options: [
            .value("timeout", "SECONDS", short: "t", "How long to wait, 0 to 86400 (default: 30)"), Options.json,
        ],
        discussion: """
            Ends with 0 once nothing is pending and everything that the hub has is here, with 1 when the hub cannot be \
            reached, with 5 when it takes too long. The daemon syncs by itself: this is for scripts, and for impatience.

              tandem sync
              tandem sync --timeout 5 && poweroff
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let timeout = try parsed.duration("timeout") ?? .seconds(30)
        guard timeout <= .seconds(86_400) else { throw parsed.mistake("--timeout takes at most a day") }
        let report = try await SyncProgress.follow(context, timeout: timeout)
        if parsed.flag("json") { return try context.print(report.json) }
        try context.print(StatusText(report: report, screen: context.screen).heading)
    }
}
