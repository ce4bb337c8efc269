import Platform
import TandemClient

/// What `tandem watch` prints for each batch that its subscription hears of.
struct WatchLog {
    /// Where a line goes.
    enum Line: Equatable {
        /// A change, to standard output.
        case change(String)
        /// A word about the watching itself, to standard error.
        case notice(String)
    }

    let isJSON: Bool
    /// What is said to a person once changes are heard of; nothing where nobody looks.
    let greeting: String?
    private var wasConnected: Bool?

    init(isJSON: Bool, greeting: String? = nil) {
        self.isJSON = isJSON
        self.greeting = greeting
    }

    /// The lines for a batch. The first one only says that there is a connection, or none.
    mutating func lines(_ batch: ChangeBatch, _ screen: Screen) -> [Line] {
        var lines: [Line] = []
        if batch.isConnected != wasConnected { lines += connection(batch) }
        let isFirst = wasConnected == nil
        wasConnected = batch.isConnected
        if batch.needsReload, !isFirst { lines.append(.notice("changes were missed; 'tandem ls' shows what is there")) }
        for report in batch.reports {
            lines += isJSON ? [.change(report.json.text)] : ChangeText(screen: screen).lines(report).map { .change($0) }
        }
        return lines
    }

    private func connection(_ batch: ChangeBatch) -> [Line] {
        switch (wasConnected, batch.isConnected) {
        case (_, false): [.notice("the daemon is lost\(reason(batch.problem)); trying again")]
        case (false?, true): [.notice("the daemon is back")]
        case (_, true): greeting.map { [.notice($0)] } ?? []
        }
    }

    /// A daemon that was stopped has no reason that a person would want to read.
    private func reason(_ problem: DaemonError?) -> String {
        guard let problem, ![DaemonError.interrupted, DaemonError.unreachable].contains(problem.code) else { return "" }
        return ": \(problem.message)"
    }
}
