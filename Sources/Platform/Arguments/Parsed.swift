/// A command line that was understood. Names are those of the declaration; asking for another is a programmer's
/// mistake and traps.
package struct Parsed: Sendable {
    /// The verbs after the program's name: `["lists", "add"]`.
    package let verbs: [String]
    /// The program and its verbs in one string, for messages.
    package let command: String
    private let declared: Set<String>
    private let options: [String: [String]]
    private let arguments: [String: [String]]

    init(chain: [Command], options: [String: [String]], arguments: [String: [String]]) {
        verbs = chain.dropFirst().map(\.name)
        command = chain.map(\.name).joined(separator: " ")
        declared = Set(chain.flatMap { $0.options.map(\.name) } + (chain.last?.arguments.map(\.name) ?? []))
        self.options = options
        self.arguments = arguments
    }

    /// Whether a flag was given.
    package func flag(_ name: String) -> Bool {
        check(name)
        return options[name] != nil
    }

    /// The value of an option, the last one of a repeatable option.
    package func value(_ name: String) -> String? {
        check(name)
        return options[name]?.last
    }

    /// All values of a repeatable option in order.
    package func values(_ name: String) -> [String] {
        check(name)
        return options[name] ?? []
    }

    /// The argument in a place that may be empty.
    package func argument(_ name: String) -> String? {
        check(name)
        return arguments[name]?.first
    }

    /// The argument in a place that the parser has seen to be filled.
    package func required(_ name: String) -> String {
        guard let argument = argument(name) else { preconditionFailure("\(name) is not declared as required") }
        return argument
    }

    /// All arguments of a variadic tail.
    package func arguments(_ name: String) -> [String] {
        check(name)
        return arguments[name] ?? []
    }

    /// An option's value as a whole number within a range.
    package func integer(_ name: String, in range: ClosedRange<Int> = 0...Int.max) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bound =
                range.upperBound == .max
                ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(name) takes a whole number \(bound), not '\(text)'", command: command)
        }
        return number
    }

    /// An option's value as a duration: seconds as `5` or `2.5`, or with a unit as `500ms`, `10s`, `3m`, `1h`.
    package func duration(_ name: String) throws(UsageError) -> Duration? {
        guard let text = value(name) else { return nil }
        guard let duration = Duration(argument: text) else {
            throw UsageError(
                "--\(name) takes a duration, not '\(text)'", hint: "Write seconds, or a unit: 5, 500ms, 3m, 1h.",
                command: command)
        }
        return duration
    }

    /// An option's value in the program's own type; `what` completes "takes …" in the message when `convert` gives
    /// `nil`.
    package func value<Value>(
        _ name: String, _ what: String, as convert: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = value(name) else { return nil }
        guard let value = convert(text) else {
            throw UsageError("--\(name) takes \(what), not '\(text)'", command: command)
        }
        return value
    }

    /// A mistake that only the program can see, in the form of the parser's own.
    package func mistake(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: command)
    }

    private func check(_ name: String) {
        precondition(declared.contains(name), "\(name) is not declared by \(command)")
    }
}

extension Duration {
    /// `5`, `2.5`, `500ms`, `10s`, `3m`, `1h`; `nil` for anything else, below zero or past 100 years.
    package init?(argument text: String) {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600), ("", 1)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = text.dropLast(unit.suffix.count)
        guard digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }),
            let number = Double(digits), number * unit.seconds <= 3_155_760_000
        else { return nil }
        self = .milliseconds((number * unit.seconds * 1_000).rounded())
    }
}
