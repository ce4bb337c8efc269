import Platform
import TandemClient

/// What `tandem status` says: how this machine stands with the hub, what waits, what is wrong and what to do about it.
struct StatusText {
    /// A clock that is further off than this is worth a word.
    private static let tolerableOffset: Int64 = 2_000

    let report: StatusReport
    let screen: Screen

    var text: String {
        var parts = [heading + "\n" + facts]
        if let problem { parts.append(problem) }
        let lists = ListTable(lists: report.lists, isJoined: report.hubAddress != nil, screen: screen).text
        if !lists.isEmpty { parts.append(lists) }
        return parts.joined(separator: "\n")
    }

    /// One line: `● live: everything is synced`.
    var heading: String {
        let style = style
        let dot = screen.terminal.styled(report.state == "detached" ? "○" : "●", style)
        return dot + " " + screen.terminal.styled(report.state, style, .bold) + ": " + screen.text(words)
    }

    private var words: String {
        switch report.state {
        case "detached": "no hub is joined; the lists are on this machine only ('tandem join LINK' shares them)"
        case "starting": "connecting to the hub"
        case "live", "polling":
            isSynced ? "everything \(ownPending > 0 ? "shared " : "")is synced" : progress
        case "offline": "the hub is not reachable" + nextTry + "; edits are kept"
        case "auth-required": "the hub does not accept this machine's token; edits are kept"
        case "upgrade-required": "this machine and the hub are of versions that do not fit; edits are kept"
        case "stalled": "the sync has stopped; edits are kept"
        default: "a state that this version does not know"
        }
    }

    private var progress: String {
        let lag = report.lists.compactMap(\.lag).reduce(0, +)
        let parts = [
            sharedPending > 0 ? "\(count(sharedPending, "edit")) to send" : nil,
            lag > 0 ? "\(count(Int(clamping: lag), "change")) to fetch" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "looking for changes" : parts.joined(separator: ", ")
    }

    private var nextTry: String {
        guard let next = report.nextTry, next.milliseconds > screen.now + 1_000 else { return ", trying now" }
        // What is so near counts as now, and reads as if it were over.
        guard next.milliseconds >= screen.now + 5_000 else { return ", next try in a moment" }
        return ", next try \(screen.time(next))"
    }

    private var style: TextStyle {
        switch report.state {
        case "detached": .dim
        case "live": isSynced ? .green : .yellow
        case "starting", "polling", "offline": .yellow
        default: .red
        }
    }

    private var facts: String {
        var rows: [(String, Table.Cell)] = []
        if let address = report.hubAddress { rows.append(("hub", .init(hub(address)))) }
        if let contact = report.lastContact, report.hubAddress != nil, report.state != "live" {
            rows.append(("last contact", .init(screen.time(contact))))
        }
        rows.append(("this machine", .init("\(report.name) (store \(report.store))")))
        if report.hubAddress != nil { rows.append(("pending", pending)) }
        rows.append(("conflicts", amount(report.conflicts, "item", .red, "tandem conflicts")))
        if report.quarantined > 0 || report.hubAddress != nil {
            rows.append(("quarantine", amount(report.quarantined, "edit", .red, "tandem quarantine")))
        }
        if let clock { rows.append(("clock", .init(clock, .yellow))) }
        var table = Table([.init(""), .init("")])
        for (name, cell) in rows { table.append([.init("  " + name, .dim), cell]) }
        return table.render(for: screen.terminal)
    }

    private var pending: Table.Cell {
        let own = ownPending > 0 ? " (and \(count(ownPending, "edit")) in lists that the hub does not have)" : ""
        guard sharedPending > 0 else { return .init("none" + own) }
        return .init(count(sharedPending, "edit") + own, .yellow)
    }

    /// Edits of lists that the hub does not have wait for nothing.
    private var ownPending: Int { report.pending - sharedPending }

    private var sharedPending: Int { report.lists.filter { $0.role != nil }.reduce(0) { $0 + $1.pending } }

    private var isSynced: Bool { report.isCaughtUp && sharedPending == 0 }

    private func hub(_ address: String) -> String { report.hubName.map { "\($0) (\(address))" } ?? address }

    private func amount(_ number: Int, _ noun: String, _ style: TextStyle, _ verb: String? = nil) -> Table.Cell {
        guard number > 0 else { return .init("none") }
        return .init(count(number, noun) + (verb.map { ": \($0)" } ?? ""), style)
    }

    /// Says how far this machine's clock is off. It decides nothing but which of two values is shown first.
    private var clock: String? {
        let offset = report.clockOffset
        guard report.hubAddress != nil, offset.magnitude > UInt64(Self.tolerableOffset) else { return nil }
        let amount = RelativeTime.amount(seconds: offset.magnitude / 1_000)
        return "this machine's clock is \(amount) \(offset < 0 ? "ahead of" : "behind") the hub's"
    }

    private var problem: String? {
        guard let problem = report.problem else { return nil }
        let hint = problem.hint.map { "\n  " + screen.text("hint: \($0)", .dim) } ?? ""
        return screen.text("! \(problem.message)", .red) + hint + "\n"
    }
}

/// The lists of the replica, a row each.
struct ListTable {
    let lists: [StatusReport.List]
    let isJoined: Bool
    let screen: Screen

    var text: String {
        var columns: [Table.Column] = [.init("LIST"), .init("KIND")]
        if isJoined { columns.append(.init("ROLE")) }
        columns.append(.init("ITEMS", .right))
        if isJoined { columns += [.init("PENDING", .right), .init("BEHIND", .right)] }
        columns.append(.init("CONFLICTS", .right))
        if isJoined { columns.append(.init("QUARANTINE", .right)) }
        var table = Table(columns)
        for list in lists { table.append(row(list)) }
        return table.render(for: screen.terminal)
    }

    private func row(_ list: StatusReport.List) -> [Table.Cell] {
        var row: [Table.Cell] = [.init(list.name.text, .bold), .init(list.kind.text)]
        if isJoined { row.append(list.role.map { .init($0) } ?? .init("not shared", .dim)) }
        row.append(.init("\(list.items)"))
        if isJoined { row += [list.role == nil ? .init("\(list.pending)") : number(list.pending, .yellow), lag(list)] }
        row.append(number(list.conflicts, .red))
        if isJoined { row.append(number(list.quarantined, .red)) }
        return row
    }

    private func number(_ number: Int, _ style: TextStyle) -> Table.Cell {
        number > 0 ? .init("\(number)", style) : .init("0", .dim)
    }

    private func lag(_ list: StatusReport.List) -> Table.Cell {
        list.lag.map { number(Int(clamping: $0), .yellow) } ?? .init(list.role == nil ? "-" : "?", .dim)
    }
}
