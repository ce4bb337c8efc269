import Platform
import TandemClient

/// What `tandem watch` says of a change: when, in which list, what happened to which item, and from where.
struct ChangeText {
    /// Cells of a title, and of what changed, on a terminal: a change stays near one line.
    private static let headingCells = 40
    private static let wordsCells = 60

    let screen: Screen

    /// A line for each item that changed.
    func lines(_ report: ChangeReport) -> [String] { report.changes.map { line($0, report) } }

    private func line(_ change: ChangeReport.Change, _ report: ChangeReport) -> String {
        let (sign, style, words) = description(of: change)
        let id = ShortIDs.alone(change.item.id)
        let source = report.isRemote ? "remote" : "local"
        let parts = [
            screen.text(LocalTime.timeOfDay(screen.now), .dim), screen.text(report.list.text),
            screen.terminal.styled(sign, style, .bold),
            screen.text(cut(change.item.heading, to: Self.headingCells)) + " " + screen.text("(\(id))", .dim),
            screen.text(cut(words, to: Self.wordsCells)), screen.text(source, .dim),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func cut(_ text: String, to cells: Int) -> String {
        guard screen.terminal.isTerminal else { return text }
        return DisplayWidth.truncate(VisibleText.escape(text), to: cells)
    }

    private func description(of change: ChangeReport.Change) -> (sign: String, style: TextStyle, words: String) {
        switch change.kind {
        case .inserted: ("+", .green, "added")
        case .removed: ("-", .red, "deleted")
        case .confirmed: ("=", .blue, "accepted by the hub")
        case .updated where change.fields == [.order]: (">", .cyan, "moved")
        case .updated: ("~", .yellow, changes(of: change))
        }
    }

    private func changes(of change: ChangeReport.Change) -> String {
        var parts = change.fields.map { EditText.assignment($0, change.item[$0]) }
        if !change.item.conflicts.isEmpty {
            parts.append(count(change.item.conflicts.count, "open conflict"))
        }
        return parts.isEmpty ? "changed" : parts.joined(separator: ", ")
    }
}
