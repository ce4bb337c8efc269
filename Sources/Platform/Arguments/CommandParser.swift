extension Command {
    /// What a command line asks for.
    package enum Request: Sendable {
        case run(Parsed)
        /// Help was asked for: print it to standard output and exit with 0.
        case help(String)
    }

    /// Understands the words after the program's name. `-h`, `--help` and the verb `help` give help for the verbs
    /// before (after) them; `--` ends the options.
    /// - Parameter terminal: what help is formatted for.
    package func parse(_ words: [String], terminal: Terminal = .plain) throws(UsageError) -> Request {
        var parser = CommandParser(root: self, words: words, terminal: terminal)
        return try parser.parse()
    }
}

/// One pass over the words; holds what was understood so far.
struct CommandParser {
    private var chain: [Command]
    private var words: ArraySlice<String>
    private let terminal: Terminal
    private var options: [String: [String]] = [:]
    private var positionals: [String] = []
    private var isPastOptions = false

    init(root: Command, words: [String], terminal: Terminal) {
        chain = [root]
        self.words = words[...]
        self.terminal = terminal
    }

    mutating func parse() throws(UsageError) -> Command.Request {
        while let word = words.popFirst() {
            if isPastOptions || !looksLikeOption(word) {
                if try takeWord(word) { return help }
            } else if word == "--" {
                isPastOptions = true
            } else if word == "--help" || (word == "-h" && option(short: "h") == nil) {
                return help
            } else if word.hasPrefix("--") {
                try takeLong(word.dropFirst(2))
            } else {
                try takeShort(word.dropFirst())
            }
        }
        guard current.runsAlone || !positionals.isEmpty else { throw mistake("says no command", hint: verbHint) }
        return .run(Parsed(chain: chain, options: options, arguments: try assignArguments()))
    }

    private var current: Command { chain[chain.count - 1] }

    private var help: Command.Request {
        .help(CommandHelp(chain: chain, terminal: terminal).text)
    }

    /// A lone `-` means standard input, and negative numbers are values.
    private func looksLikeOption(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else { return false }
        guard let second = word.utf8.dropFirst().first else { return false }
        return !(0x30...0x39).contains(second)
    }

    /// A verb or an argument; `true` when it asked for help.
    private mutating func takeWord(_ word: String) throws(UsageError) -> Bool {
        if positionals.isEmpty && !isPastOptions && !current.subcommands.isEmpty {
            if let verb = current.subcommands.first(where: { $0.name == word }) {
                chain.append(verb)
                return false
            }
            if word == "help" {
                try followVerbs()
                return true
            }
            guard current.runsAlone && !current.arguments.isEmpty else { throw unknownVerb(word) }
        }
        positionals.append(word)
        return false
    }

    /// `help lists add`: the verbs after `help`.
    private mutating func followVerbs() throws(UsageError) {
        while let word = words.popFirst(), !looksLikeOption(word) {
            guard let verb = current.subcommands.first(where: { $0.name == word }) else { throw unknownVerb(word) }
            chain.append(verb)
        }
    }

    private mutating func takeLong(_ text: Substring) throws(UsageError) {
        let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = String(text[..<(equals ?? text.endIndex)])
        guard let option = chain.flatMap(\.options).first(where: { $0.name == name }) else { throw unknownOption(name) }
        let attached = equals.map { String(text[text.utf8.index(after: $0)...]) }
        try take(option, attached: attached)
    }

    /// `-v`, `-n 5`, `-n5`, and flags in one word: `-jv`.
    private mutating func takeShort(_ letters: Substring) throws(UsageError) {
        var rest = letters
        while let letter = rest.popFirst() {
            guard let option = option(short: letter) else { throw mistake("has no option -\(letter)") }
            guard option.placeholder != nil, !rest.isEmpty else {
                try take(option, attached: nil)
                continue
            }
            return try take(option, attached: String(rest.first == "=" ? rest.dropFirst() : rest))
        }
    }

    private mutating func take(_ option: Command.Option, attached: String?) throws(UsageError) {
        guard let placeholder = option.placeholder else {
            guard attached == nil else { throw mistake("--\(option.name) takes no value") }
            options[option.name] = [""]
            return
        }
        guard let value = attached ?? words.popFirst() else {
            throw mistake("--\(option.name) needs a value: \(placeholder)")
        }
        guard attached != nil || value == "-" || !isDeclaredOption(value) else {
            throw mistake(
                "--\(option.name) needs a value: \(placeholder)",
                hint: "Write --\(option.name)=\(value) to give it '\(value)'.")
        }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            let nearest = NearestName.of(value, among: option.choices).map { "Did you mean '\($0)'?" }
            throw mistake("--\(option.name) takes \(Self.either(option.choices)), not '\(value)'", hint: nearest)
        }
        guard option.isRepeatable || options[option.name] == nil else {
            throw mistake("--\(option.name) is given twice")
        }
        options[option.name, default: []].append(value)
    }

    /// Fills the declared places from the left; what must come later is kept for the later places.
    private func assignArguments() throws(UsageError) -> [String: [String]] {
        var rest = positionals[...]
        var result: [String: [String]] = [:]
        for (index, argument) in current.arguments.enumerated() {
            let later = current.arguments[(index + 1)...].count { $0.count == .one || $0.count == .some }
            let available = max(0, rest.count - later)
            switch argument.count {
            case .one, .some: guard !rest.isEmpty else { throw mistake("needs \(argument.name): \(argument.summary)") }
            case .optional, .any: guard available > 0 else { continue }
            }
            let isVariadic = argument.count == .some || argument.count == .any
            let taken = isVariadic ? max(1, available) : 1
            result[argument.name] = Array(rest.prefix(taken))
            rest = rest.dropFirst(taken)
        }
        guard let extra = rest.first else { return result }
        throw mistake(
            "does not know what to do with '\(extra)'",
            hint: current.arguments.isEmpty ? "It takes no arguments." : "Quote text that has spaces in it.")
    }

    private func option(short letter: Character) -> Command.Option? {
        chain.flatMap(\.options).first { $0.short == letter }
    }

    private func isDeclaredOption(_ word: String) -> Bool {
        guard word.hasPrefix("--") else { return false }
        let name = String(word.unicodeScalars.dropFirst(2).prefix { $0 != "=" })
        return name == "help" || chain.flatMap(\.options).contains { $0.name == name }
    }
}

extension CommandParser {
    private func mistake(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: chain.map(\.name).joined(separator: " "))
    }

    private func unknownOption(_ name: String) -> UsageError {
        let names = chain.flatMap(\.options).map(\.name) + ["help"]
        return mistake(
            "has no option --\(name)", hint: NearestName.of(name, among: names).map { "Did you mean --\($0)?" })
    }

    private func unknownVerb(_ word: String) -> UsageError {
        let nearest = NearestName.of(word, among: current.subcommands.map(\.name))
        return mistake("has no command '\(word)'", hint: nearest.map { "Did you mean '\($0)'?" } ?? verbHint)
    }

    private var verbHint: String {
        "It takes \(Self.either(current.subcommands.map(\.name)))."
    }

    private static func either(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
