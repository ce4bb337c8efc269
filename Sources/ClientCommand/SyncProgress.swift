import Platform
import TandemClient

/// Waits for a sync, with a progress bar for a person who waits: a first one may take a while.
enum SyncProgress {
    /// Asks for a sync and returns once it has ended. Throws ``DaemonError`` where it did not end well.
    static func follow(_ context: CommandContext, timeout: Duration) async throws -> StatusReport {
        try await withThrowingTaskGroup(of: StatusReport?.self) { group in
            group.addTask { try await context.connection.sync(timeout: timeout) }
            if context.errorTerminal.isTerminal {
                group.addTask {
                    try await draw(context)
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let report = try await group.next() {
                if let report { return report }
            }
            preconditionFailure("a sync ends in a report or an error")
        }
    }

    /// Draws how much is left until the task is cancelled. What is to do grows while more becomes known.
    private static func draw(_ context: CommandContext) async throws {
        var most = 0
        var bar: ProgressBar?
        defer { bar?.finish() }
        while !Task.isCancelled {
            let report = try await context.connection.status()
            let left = report.lists.reduce(report.pending) { $0 + Int(clamping: $1.lag ?? 0) }
            if left > most {
                most = left
                bar = ProgressBar(
                    "syncing", total: most, terminal: context.errorTerminal, time: context.time,
                    write: context.complain)
            }
            bar?.update(most - left)
            try await context.time.sleep(for: .milliseconds(200))
        }
    }
}
