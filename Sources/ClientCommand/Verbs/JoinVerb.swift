import Platform
import TandemClient

/// `tandem join`.
enum JoinVerb: Verb {
    static let command = Command(
        "join", "Share this machine's lists through a hub", section: Sections.sync,
        options: [.flag("no-wait", "Do not wait for the first sync"), Options.json],
        arguments: [.init("LINK", "The join link that 'tandem-hub token add' printed; - reads it from standard input")],
        discussion: """
            What the lists hold here is uploaded, and merged with what the hub has; nothing is lost on either side. \
            Waits for the first sync; Ctrl-C ends the waiting, not the sync. The link holds a secret: '-' keeps it out \
            of the shell's history.

              tandem join 'http://hub.example:8440/join#…'
              ssh hub tandem-hub token add laptop --role editor --list todo | tandem join -
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        var link = parsed.required("LINK")
        if link == "-" { link = readLine() ?? "" }
        var report = try await context.connection.join(link: String(link.trimmed))
        if !parsed.flag("no-wait") {
            do {
                report = try await SyncProgress.follow(context, timeout: .seconds(600))
            } catch is DaemonError {
                // It has joined all the same, and the status says how the sync stands.
                report = try await context.connection.status()
            }
        }
        if parsed.flag("json") { return try context.print(report.json) }
        let hub = report.hubName ?? report.hubAddress ?? "the hub"
        try context.print("joined " + context.screen.text(hub, .bold))
        try context.print(StatusText(report: report, screen: context.screen).heading)
    }
}

extension String {
    /// Without the white space that copying a line adds at its ends.
    fileprivate var trimmed: Substring {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
