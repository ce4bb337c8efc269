import Synchronization

/// Progress of a long operation on standard error, for a person who waits. Writes nothing where no terminal is.
package final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: Duration?
        var isFinished = false
    }

    private let label: String
    private let total: Int?
    private let terminal: Terminal
    private let time: any TimeSource
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - total: the count at the end; `nil` where it is not known, then only the count is shown.
    ///   - write: takes what would be drawn; for tests.
    package init(
        _ label: String, total: Int?, terminal: Terminal = .standardError, time: any TimeSource = SystemTime(),
        write: @escaping @Sendable (String) -> Void = { Output.standardError($0) }
    ) {
        self.label = VisibleText.escape(label)
        self.total = total
        self.terminal = terminal
        self.time = time
        self.write = write
    }

    /// Shows how far it is; at most ten times a second, whoever calls and however often.
    package func update(_ done: Int) {
        guard terminal.isTerminal else { return }
        let instant = time.monotonic
        let isDue = state.withLock { state in
            if state.isFinished { return false }
            if let last = state.lastDrawn, instant - last < .milliseconds(100) { return false }
            state.lastDrawn = instant
            return true
        }
        if isDue { write("\r" + line(done) + "\u{1B}[K") }
    }

    /// Replaces the bar by its last words, or clears it where there are none. Later updates draw nothing.
    package func finish(_ message: String? = nil) {
        guard terminal.isTerminal else { return }
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        guard isFirst else { return }
        write("\r\u{1B}[K" + (message.map { VisibleText.escape($0) + "\n" } ?? ""))
    }

    private func line(_ done: Int) -> String {
        guard let total, total > 0 else { return fit("\(label) \(done)") }
        let share = min(1, max(0, Double(done) / Double(total)))
        let figures = "\(Int(share * 100)) % (\(done) of \(total))"
        let room = (terminal.width ?? 80) - DisplayWidth.of(label) - figures.count - 5
        guard room >= 10 else { return fit("\(label) \(figures)") }
        let cells = min(room, 40)
        let filled = Int(share * Double(cells))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
        return "\(label) [\(bar)] \(figures)"
    }

    private func fit(_ text: String) -> String {
        DisplayWidth.truncate(text, to: (terminal.width ?? 80) - 1)
    }
}
