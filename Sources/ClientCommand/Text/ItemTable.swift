import Platform
import TandemClient

/// The items of a list as `tandem ls` shows them.
struct ItemTable {
    /// Columns of fields that are shown without being asked for, at most.
    private static let mostColumns = 4
    /// Of a todo only these: imported ones have many fields that nobody reads in a list.
    private static let todoColumns = ["project", "priority", "due"]

    let list: StatusReport.List
    let items: [Item]
    let screen: Screen
    /// Shows whole ids.
    var isLong = false
    /// The fields that a person asked for; empty for the usual ones.
    var fields: [FieldName] = []

    /// The rows, with their titles.
    var text: String {
        let columns = columns.filter { column in !column.isOptional || items.contains { !column.cell($0).text.isEmpty }
        }
        var table = Table(columns.map(\.column))
        for item in items { table.append(columns.map { $0.cell(item) }) }
        return table.render(for: screen.terminal)
    }

    /// One line about all of them: `8 items, 3 done, 1 pending, 1 in conflict`.
    var summary: String {
        var parts = [
            items.count < list.items ? "\(items.count) of \(count(list.items, "item"))" : count(items.count, "item")
        ]
        let done = items.count(where: \.isCompleted)
        if list.kind == .todo { parts.append("\(done) done") }
        let pending = items.count(where: isPending)
        if pending > 0 { parts.append("\(pending) pending") }
        let conflicted = items.count { !$0.conflicts.isEmpty }
        if conflicted > 0 { parts.append("\(conflicted) in conflict (tandem conflicts)") }
        if !isShared { parts.append("only on this machine") }
        return parts.joined(separator: ", ")
    }

    private struct Shown {
        let column: Table.Column
        /// Left out where no item has anything to show in it.
        var isOptional = true
        let cell: (Item) -> Table.Cell
    }

    private var columns: [Shown] {
        let ids = isLong ? nil : ShortIDs(items.map(\.id))
        let isTodo = list.kind == .todo
        var columns = [
            Shown(column: .init("ID"), isOptional: false) { .init(ids?[$0.id] ?? $0.id.text, .cyan) }
        ]
        if isTodo { columns.append(Shown(column: .init(""), isOptional: false, cell: checkBox)) }
        let main = ListKind.mainField(of: list.kind)
        columns.append(
            Shown(column: .init(main.text.uppercased(), isFlexible: true), isOptional: false) { item in
                let isDone = isTodo && item.isCompleted
                return isDone ? .init(item.heading, .dim) : .init(item.heading)
            })
        columns.append(
            Shown(column: .init("TAGS", isFlexible: true)) { .init($0.tags.joined(separator: " "), .blue) })
        for name in fieldColumns {
            columns.append(
                Shown(column: .init(name.text.uppercased(), isFlexible: true)) { .init($0[name].forPeople) })
        }
        columns.append(Shown(column: .init("STATE"), cell: state))
        return columns
    }

    private var fieldColumns: [FieldName] {
        guard fields.isEmpty else { return fields }
        let main = ListKind.mainField(of: list.kind)
        var counts: [FieldName: Int] = [:]
        for item in items {
            for (name, field) in item.fields.entries where field.value.isScalar {
                guard name != main, !name.isReserved, !name.isTag else { continue }
                guard list.kind != .todo || Self.todoColumns.contains(name.text) else { continue }
                counts[name, default: 0] += 1
            }
        }
        if list.kind == .todo { return counts.keys.sorted { rank($0) < rank($1) } }
        let common = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostColumns)
        return common.map(\.key).sorted()
    }

    private func rank(_ name: FieldName) -> Int { Self.todoColumns.firstIndex(of: name.text) ?? .max }

    private func checkBox(_ item: Item) -> Table.Cell {
        item.isCompleted ? .init(item.checkBox, .green) : .init(item.checkBox)
    }

    private func state(_ item: Item) -> Table.Cell {
        let isConflicted = !item.conflicts.isEmpty
        let words = [isConflicted ? "conflict" : nil, isPending(item) ? "pending" : nil].compactMap { $0 }
        return isConflicted ? .init(words.joined(separator: ", "), .red) : .init(words.joined(), .yellow)
    }

    /// In a list that the hub does not have, nothing waits for it.
    private func isPending(_ item: Item) -> Bool { isShared && item.isPending }

    private var isShared: Bool { list.role != nil }
}

extension JSON {
    /// Whether a cell of a table can show it.
    fileprivate var isScalar: Bool {
        switch self {
        case .null, .array, .object: false
        case .bool, .int, .double, .string: true
        }
    }
}
