import Glibc

/// What is known of an output: whether a person watches it, how wide it is, whether it may be coloured.
package struct Terminal: Sendable {
    package let isTerminal: Bool
    /// Cells a line; `nil` when the output is no terminal, so that files and pipes get whole lines.
    package let width: Int?
    package let usesStyles: Bool

    package init(isTerminal: Bool, width: Int?, usesStyles: Bool) {
        self.isTerminal = isTerminal
        self.width = width
        self.usesStyles = usesStyles
    }

    /// A file or pipe: no width, no styles.
    package static let plain = Terminal(isTerminal: false, width: nil, usesStyles: false)

    /// Looks at a descriptor. `NO_COLOR` (no-color.org) and `TERM=dumb` turn styles off; `COLUMNS` stands in for a
    /// terminal that does not tell its size.
    package init(descriptor: Int32, environment: [String: String]) {
        isTerminal = isatty(descriptor) == 1
        let noColor = environment["NO_COLOR"] ?? ""
        usesStyles = isTerminal && noColor.isEmpty && environment["TERM"] != "dumb"
        width = isTerminal ? Self.columns(of: descriptor) ?? environment["COLUMNS"].flatMap(Int.init) ?? 80 : nil
    }

    /// Looks anew at each call, so a change of the window is seen.
    package static var standardOutput: Terminal {
        Terminal(descriptor: STDOUT_FILENO, environment: ProcessEnvironment.current)
    }

    /// As `standardOutput`; for progress and errors.
    package static var standardError: Terminal {
        Terminal(descriptor: STDERR_FILENO, environment: ProcessEnvironment.current)
    }

    /// The text between escape sequences, or as it is where styles are off. Escapes nothing: the caller has.
    package func styled(_ text: String, _ styles: TextStyle...) -> String {
        styled(text, styles)
    }

    package func styled(_ text: String, _ styles: [TextStyle]) -> String {
        guard usesStyles, !styles.isEmpty, !text.isEmpty else { return text }
        let codes = styles.map { String($0.rawValue) }.joined(separator: ";")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
