/// Aligned columns for people. Every cell is escaped, so text from others cannot reach the terminal as commands; on a
/// terminal long cells are cut so that a row stays on one line, elsewhere nothing is cut.
package struct Table: Sendable {
    package enum Alignment: Sendable {
        case left
        case right
    }

    package struct Column: Sendable {
        package var title: String
        package var alignment: Alignment
        /// Whether cells may be cut when the terminal is too narrow; ids and times should not be.
        package var isFlexible: Bool

        package init(_ title: String, _ alignment: Alignment = .left, isFlexible: Bool = false) {
            self.title = title
            self.alignment = alignment
            self.isFlexible = isFlexible
        }
    }

    /// Escapes its text when made, so a table never holds text that acts on a terminal.
    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        package var text: String
        package var styles: [TextStyle]

        package init(_ text: String, _ styles: TextStyle...) {
            self.text = VisibleText.escape(text)
            self.styles = styles
        }

        package init(stringLiteral value: String) {
            self.init(value)
        }
    }

    package var columns: [Column]
    package private(set) var rows: [[Cell]] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row with a cell for each column.
    package mutating func append(_ row: [Cell]) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        rows.append(row)
    }

    /// The lines, titles first unless all are empty, each ending with a newline; nothing for a table without rows.
    package func render(for terminal: Terminal) -> String {
        guard !rows.isEmpty else { return "" }
        let titles = columns.map { Cell($0.title, .bold) }
        let lines = titles.allSatisfy(\.text.isEmpty) ? rows : [titles] + rows
        let widths = fittedWidths(lines, to: terminal.width)
        return lines.map { line($0, widths, terminal) + "\n" }.joined()
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> String {
        var line = ""
        var pendingSpaces = 0
        for (index, cell) in cells.enumerated() {
            let text = DisplayWidth.truncate(cell.text, to: widths[index])
            let padding = max(0, widths[index] - DisplayWidth.of(text))
            let isRight = columns[index].alignment == .right
            if !text.isEmpty {
                line += String(repeating: " ", count: pendingSpaces + (isRight ? padding : 0))
                line += terminal.styled(text, cell.styles)
                pendingSpaces = isRight ? 0 : padding
            } else {
                pendingSpaces += widths[index]
            }
            pendingSpaces += Self.gap
        }
        return line
    }

    private static let gap = 2

    /// Natural widths; while the rows do not fit, the widest flexible column gives up a cell.
    private func fittedWidths(_ lines: [[Cell]], to width: Int?) -> [Int] {
        var widths = columns.indices.map { column in lines.map { DisplayWidth.of($0[column].text) }.max() ?? 0 }
        guard let width else { return widths }
        let flexible = columns.indices.filter { columns[$0].isFlexible }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
        while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
