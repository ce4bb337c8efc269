import Platform
import TandemClient

/// Edits that the hub has refused, with the reasons and what can be done.
struct QuarantineText {
    let entries: [ItemReport.Quarantined]
    let screen: Screen

    /// All of them, and a summary line.
    var text: String { list + "\n\n" + count(entries.count, "edit") + " in quarantine" }

    /// A block each.
    var list: String {
        let ids = ShortTexts(entries.map(\.id))
        return entries.map { entry($0, id: ids[$0.id]) }.joined(separator: "\n\n")
    }

    private func entry(_ entry: ItemReport.Quarantined, id: String) -> String {
        let item = entry.mutation.item
        let place = screen.text("(\(ShortIDs.alone(item)) in \(entry.list), \(screen.time(entry.since)))", .dim)
        let lines = [
            screen.text(id, .red, .bold) + "  " + screen.text(EditText.changes(of: entry.mutation)) + " " + place,
            screen.text("\(entry.refusal.message) (\(entry.refusal.code))", .red),
            screen.text("tandem quarantine retry \(id) | tandem quarantine discard \(id)", .dim),
        ]
        return lines.joined(separator: "\n  ")
    }
}
