import Platform
import TandemClient

/// What `tandem inspect` says of one item: each value with its origin, what waits, what is contested, and where the item
/// stands.
struct ItemReportText {
    let report: ItemReport
    /// How the replica stands, for the words about what waits.
    let status: StatusReport
    let screen: Screen

    var text: String {
        let parts = [heading, fields, pending, conflicts, quarantine]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private var item: Item { report.item }

    private var writers: WriterNames { WriterNames(names: report.writers, own: report.replica) }

    private var heading: String {
        let place = screen.text("\(item.id) in \(report.list)", .dim)
        return screen.text(item.heading, .bold) + "\n" + place + "\n" + screen.text(standing, standingStyle)
    }

    /// Where the item stands, in words.
    var standing: String {
        let deleted = item.isDeleted ? "deleted here; " : ""
        let refused =
            report.quarantined.isEmpty ? "" : ", \(count(report.quarantined.count, "edit")) refused by the hub"
        let waiting =
            report.pending.isEmpty ? "" : ", \(count(report.pending.count, "edit")) pending: \(reason)"
        guard let confirmed = report.confirmed else {
            return deleted + (report.pending.isEmpty && refused.isEmpty ? "only here: \(reason)" : "only here")
                + waiting + refused
        }
        let hub = status.hubAddress == nil ? "the hub that was left" : "the hub"
        let there = confirmed.isDeleted && !item.isDeleted ? "deleted on \(hub)" : "on \(hub)"
        return deleted + "\(there) at version \(confirmed.version)" + waiting + refused
    }

    private var standingStyle: TextStyle {
        if !report.quarantined.isEmpty { return .red }
        return report.pending.isEmpty && report.confirmed != nil ? .green : .yellow
    }

    /// Why edits have not reached the hub.
    private var reason: String {
        guard status.hubAddress != nil else { return "no hub is joined" }
        switch (status.state, report.role) {
        case ("offline", _): return "the hub is not reachable"
        case ("auth-required", _): return "the hub does not accept this machine's token"
        case ("upgrade-required", _): return "this machine and the hub are of versions that do not fit"
        case ("stalled", _): return "the sync has stopped"
        case (_, nil): return "the hub does not have the list"
        case (_, "reader"?): return "this machine may only read the list"
        default: return "on their way"
        }
    }

    private var fields: String {
        let names = item.fields.names.map { VisibleText.escape($0.text) }
        let width = names.map(DisplayWidth.of).max() ?? 0
        return zip(names, item.fields.entries).map { name, entry in
            let gap = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
            let margin = "\n" + String(repeating: " ", count: width + 2)
            let lines = [value(entry.value.value)] + origin(entry.name, entry.value)
            return screen.terminal.styled(name, .cyan) + gap + lines.joined(separator: margin)
        }.joined(separator: "\n")
    }

    private func value(_ value: JSON) -> String {
        switch value {
        case .null: screen.text("removed", .dim)
        case .string(""): screen.text("empty text", .dim)
        case .string(let text): VisibleText.escape(text)
        default: VisibleText.escape(value.text)
        }
    }

    private func origin(_ name: FieldName, _ field: Field) -> [String] {
        let isPending = field.origin.version == .none
        let version = isPending ? (isWaiting(name) ? "pending" : "only here") : "version \(field.origin.version)"
        let written = "\(version), by \(writers[field.origin.replica]), \(screen.hubTimeInFull(field.origin.at))"
        let line = screen.text(written, isPending && isWaiting(name) ? .yellow : .dim)
        guard isPending, let confirmed = report.confirmed else { return [line] }
        return [line, onHub(confirmed.fields[name])]
    }

    private func isWaiting(_ name: FieldName) -> Bool {
        report.pending.contains { $0.set[name] != nil || $0.increments[name] != nil }
    }

    private func onHub(_ field: Field?) -> String {
        guard let field else { return screen.text("on the hub: not there", .dim) }
        let origin = "(version \(field.origin.version), by \(writers[field.origin.replica]))"
        return screen.text("on the hub: ", .dim) + value(field.value) + " " + screen.text(origin, .dim)
    }

    private var pending: String {
        guard !report.pending.isEmpty else { return "" }
        let lines = report.pending.map { mutation in
            "  " + VisibleText.escape(EditText.changes(of: mutation)) + "  "
                + screen.text("\(writers[mutation.replica]), \(screen.hubTime(mutation.at))", .dim)
        }
        return ([screen.terminal.styled("Pending:", .bold)] + lines).joined(separator: "\n")
    }

    private var conflicts: String {
        guard !item.conflicts.isEmpty else { return "" }
        let reports = item.conflicts.map {
            ConflictReport(list: report.list, item: item, conflict: $0, writers: report.writers)
        }
        let text = ConflictText(reports: reports, own: report.replica, screen: screen)
        return screen.terminal.styled("Conflicts:", .bold) + "\n" + text.entries(namingItem: false)
    }

    private var quarantine: String {
        guard !report.quarantined.isEmpty else { return "" }
        let text = QuarantineText(entries: report.quarantined, screen: screen)
        return screen.terminal.styled("Refused by the hub:", .bold) + "\n" + text.list
    }
}

/// Names of those who write, for people.
struct WriterNames {
    let names: [ReplicaID: String]
    /// This machine's replica.
    let own: ReplicaID?

    subscript(id: ReplicaID) -> String {
        if id == own { return "this machine" }
        if let name = names[id], !name.isEmpty { return name }
        return "replica " + String(id.text.prefix(8))
    }
}
