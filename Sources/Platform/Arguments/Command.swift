/// A program or one of its verbs, as data: what it takes is declared once, and parsing, errors and help follow from it.
package struct Command: Sendable {
    package var name: String
    /// One line without a full stop, shown beside the name.
    package var summary: String
    /// The heading under which the parent's help lists this verb; verbs of one section stand together.
    package var section: String
    /// Taken by this command and, before or after their names, by all verbs below it.
    package var options: [Option]
    package var arguments: [Argument]
    package var subcommands: [Command]
    /// Whether the command means something without a verb although it has verbs, as in `lists` and `lists add`.
    package var runsAlone: Bool
    /// Paragraphs after the summary in the command's own help; a line that begins with two spaces is kept as it is.
    package var discussion: String

    package init(
        _ name: String, _ summary: String, section: String = "Commands", options: [Option] = [],
        arguments: [Argument] = [], subcommands: [Command] = [], runsAlone: Bool = false, discussion: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.section = section
        self.options = options
        self.arguments = arguments
        self.subcommands = subcommands
        self.runsAlone = runsAlone || subcommands.isEmpty
        self.discussion = discussion
    }
}

extension Command {
    /// Something with a name that begins with dashes; with a placeholder it takes a value.
    package struct Option: Sendable {
        /// Without the dashes.
        package var name: String
        package var short: Character?
        /// Stands for the value in help; `nil` makes the option a flag.
        package var placeholder: String?
        package var summary: String
        /// The values that are allowed; empty allows all.
        package var choices: [String]
        package var isRepeatable: Bool

        /// `--name`.
        package static func flag(_ name: String, short: Character? = nil, _ summary: String) -> Option {
            Option(
                name: name, short: short, placeholder: nil, summary: summary, choices: [], isRepeatable: false)
        }

        /// `--name VALUE` or `--name=VALUE`. Given twice it is a mistake, unless it is repeatable.
        package static func value(
            _ name: String, _ placeholder: String, short: Character? = nil, _ summary: String,
            choices: [String] = [], isRepeatable: Bool = false
        ) -> Option {
            Option(
                name: name, short: short, placeholder: placeholder, summary: summary, choices: choices,
                isRepeatable: isRepeatable)
        }
    }

    /// Something told by its place.
    package struct Argument: Sendable {
        /// How many words the argument takes.
        package enum Count: Sendable {
            case one
            case optional
            /// Zero or more; only the last argument.
            case any
            /// One or more; only the last argument.
            case some
        }

        /// As help shows it, in capitals: `ID`, `FIELD=VALUE`.
        package var name: String
        package var summary: String
        package var count: Count

        package init(_ name: String, _ summary: String, _ count: Count = .one) {
            self.name = name
            self.summary = summary
            self.count = count
        }

        /// `NAME`, `[NAME]`, `NAME ...` or `[NAME ...]`.
        var usage: String {
            switch count {
            case .one: name
            case .optional: "[\(name)]"
            case .some: "\(name) ..."
            case .any: "[\(name) ...]"
            }
        }
    }
}
