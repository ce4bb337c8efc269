/// The help text of a command, from its declaration: summary, usage, then aligned sections.
struct CommandHelp {
    /// From the program to the verb.
    let chain: [Command]
    let terminal: Terminal

    private typealias Entry = (label: String, summary: String)

    private var command: Command { chain[chain.count - 1] }
    /// Lines longer than this are hard to read, however wide the window.
    private var width: Int { min(terminal.width ?? 80, 100) }
    /// Where summaries begin, for labels that leave room; longer labels get a line of their own.
    private static let widestLabel = 26

    var text: String {
        var parts = [heading, usage]
        parts += discussion
        parts += sections.map { title, entries in
            terminal.styled(title + ":", .bold) + "\n" + entries.map(line).joined(separator: "\n")
        }
        if !command.subcommands.isEmpty { parts.append("Run '\(path) COMMAND --help' for more about a command.") }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var path: String { chain.map(\.name).joined(separator: " ") }

    private var heading: String {
        let lines = Self.wrap(path + ": " + command.summary, width: width)
        return lines.joined(separator: "\n")
    }

    private var usage: String {
        var forms: [String] = []
        let options = chain.allSatisfy(\.options.isEmpty) ? [] : ["[OPTIONS]"]
        if command.runsAlone {
            forms.append(([path] + options + command.arguments.map(\.usage)).joined(separator: " "))
        }
        if !command.subcommands.isEmpty {
            forms.append(([path] + options + ["COMMAND", "..."]).joined(separator: " "))
        }
        let lines = forms.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element }
        return lines.joined(separator: "\n").replacing(
            "Usage:", with: terminal.styled("Usage:", .bold), maxReplacements: 1)
    }

    private var discussion: [String] {
        guard !command.discussion.isEmpty else { return [] }
        return command.discussion.split(separator: "\n\n", omittingEmptySubsequences: true).map { paragraph in
            let isVerbatim = paragraph.hasPrefix("  ")
            return isVerbatim ? String(paragraph) : Self.wrap(String(paragraph), width: width).joined(separator: "\n")
        }
    }

    private var sections: [(String, [Entry])] {
        var sections: [(String, [Entry])] = [("Arguments", command.arguments.map { ($0.name, $0.summary) })]
        for verb in command.subcommands {
            let entry = (verb.name, verb.summary)
            if let index = sections.dropFirst().firstIndex(where: { $0.0 == verb.section }) {
                sections[index].1.append(entry)
            } else {
                sections.append((verb.section, [entry]))
            }
        }
        let isShortTaken = chain.flatMap(\.options).contains { $0.short == "h" }
        let help: Entry = ((isShortTaken ? "    " : "-h, ") + "--help", "Show this help")
        sections.append(("Options", command.options.map(Self.entry) + [help]))
        sections.append(("Options of every command", chain.dropLast().flatMap(\.options).map(Self.entry)))
        return sections.filter { !$0.1.isEmpty }
    }

    private static func entry(_ option: Command.Option) -> Entry {
        let short = option.short.map { "-\($0), " } ?? "    "
        let label = short + "--" + option.name + (option.placeholder.map { " " + $0 } ?? "")
        var summary = option.summary
        if !option.choices.isEmpty { summary += ": " + option.choices.joined(separator: ", ") }
        if option.isRepeatable { summary += " (may be repeated)" }
        return (label, summary)
    }

    private var labelWidth: Int {
        let widths = sections.flatMap { $0.1.map { DisplayWidth.of($0.label) } }
        return widths.filter { $0 <= Self.widestLabel }.max() ?? Self.widestLabel
    }

    private func line(_ entry: Entry) -> String {
        let indent = 2 + labelWidth + 2
        let lines = Self.wrap(entry.summary, width: max(20, width - indent))
        let margin = "\n" + String(repeating: " ", count: indent)
        let length = DisplayWidth.of(entry.label)
        let gap = length <= labelWidth ? String(repeating: " ", count: labelWidth - length + 2) : margin
        let label = terminal.styled(entry.label, .cyan)
        return "  " + label + (entry.summary.isEmpty ? "" : gap + lines.joined(separator: margin))
    }

    /// Breaks at spaces so that lines fit; a word longer than a line keeps a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = String(word)
            } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
