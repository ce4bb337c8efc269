import Platform

/// One verb of the program: what it takes, and what it does.
protocol Verb: SendableMetatype {
    /// The verb's declaration: parsing and help follow from it.
    static var command: Command { get }

    /// Does it. What is thrown is shown by ``ErrorReport``.
    static func run(_ parsed: Parsed, _ context: CommandContext) async throws
}
