import Platform
import TandemClient

/// Open conflicts with both values, who wrote them, and the commands that settle them.
struct ConflictText {
    let reports: [ConflictReport]
    /// This machine's replica.
    let own: ReplicaID?
    let screen: Screen

    /// All of them, and a summary line.
    var text: String {
        let items = Set(reports.map(\.item.id)).count
        return entries(namingItem: true) + "\n\n" + count(reports.count, "conflict") + " in " + count(items, "item")
    }

    /// A block each.
    func entries(namingItem: Bool) -> String {
        let ids = ShortTexts(reports.map(\.conflict.id.text))
        return reports.map { entry($0, id: ids[$0.conflict.id.text], namingItem: namingItem) }
            .joined(separator: "\n\n")
    }

    private func entry(_ report: ConflictReport, id: String, namingItem: Bool) -> String {
        let field = report.conflict.field
        let what = field == .deleted ? "deletion" : field.text
        var title = screen.text(id, .red, .bold) + "  " + screen.text(what, .cyan)
        if namingItem {
            title +=
                " of " + screen.text(report.item.heading, .bold) + " "
                + screen.text("(\(ShortIDs.alone(report.item.id)) in \(report.list))", .dim)
        }
        let shown = report.item.fields[field]
        let indent = "\n  "
        return title + indent + "shown  " + side(field, shown?.value ?? .null, shown?.origin, report) + indent
            + "other  "
            + side(field, report.conflict.value, report.conflict.origin, report) + indent
            + screen.text("tandem resolve \(id) --shown | --other | --value VALUE", .dim)
    }

    private func side(_ field: FieldName, _ value: JSON, _ origin: Origin?, _ report: ConflictReport) -> String {
        let words = VisibleText.escape(Self.words(field, value))
        guard let origin else { return words }
        let names = WriterNames(names: report.writers, own: own)
        return words + "  " + screen.text("\(names[origin.replica]), \(screen.hubTime(origin.at))", .dim)
    }

    /// A contested value, in words that say what a removal is.
    static func words(_ field: FieldName, _ value: JSON) -> String {
        if field == .deleted { return value == .bool(true) ? "the item is deleted" : "the item stays" }
        if value.isNull { return "no value" }
        return value == .string("") ? "empty text" : value.forPeople
    }
}
