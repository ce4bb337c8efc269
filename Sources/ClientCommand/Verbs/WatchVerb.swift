import Glibc
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
        let list = try await list(parsed, context)
        Signals.ignoreBrokenPipes()
        let signals = try Signals.stream(of: [.interrupt, .terminate, .hangUp])
        let isJSON = parsed.flag("json")
        let isWatched = context.screen.terminal.isTerminal && context.errorTerminal.isTerminal
        let greeting = isWatched ? "watching \(list?.text ?? "all lists"); Ctrl-C ends" : nil
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await signal in signals {
                    // The terminal has shown ^C on the last line.
                    if signal == .interrupt, isWatched { context.complain("\n") }
                    return
                }
            }
            group.addTask { try await follow(list, WatchLog(isJSON: isJSON, greeting: greeting), context) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Asks for the lists in any case, so that a daemon that is not there at the start is an error.
    private static func list(_ parsed: Parsed, _ context: CommandContext) async throws -> ListName? {
        guard let name = parsed.argument("LIST") else {
            _ = try await context.connection.lists()
            return nil
        }
        return try await context.list(named: name).name
    }

    /// Prints changes until the task is cancelled or nobody reads them.
    static func follow(_ list: ListName?, _ log: WatchLog, _ context: CommandContext) async throws {
        var log = log
        for await batch in ChangeSubscription.batches(from: context.connection, list: list) {
            var screen = context.screen
            screen.now = context.time.now
            do {
                try context.print(log.lines(batch, screen))
            } catch let error as PlatformError where error.code == EPIPE {
                return
            }
        }
    }
}

extension CommandContext {
    fileprivate func print(_ lines: [WatchLog.Line]) throws {
        for line in lines {
            switch line {
            case .change(let text): try print(text)
            case .notice(let text): complain("tandem: \(VisibleText.escape(text))\n")
            }
        }
    }
}
