/// A command line that its declaration does not allow. Programs print it to standard error and exit with `exitCode`.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What usage mistakes exit with, in all three programs.
    package static let exitCode: Int32 = 2

    package let message: String
    /// What to do instead.
    package let hint: String?
    /// The program and its verbs, as far as they were understood: "tandem lists add".
    package let command: String

    package init(_ message: String, hint: String? = nil, command: String) {
        self.message = message
        self.hint = hint
        self.command = command
    }

    /// Two or three lines: the mistake, the hint, where help is.
    package var description: String {
        let lines = ["\(command): \(VisibleText.escape(message))", hint, "See '\(command) --help'."]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }
}
