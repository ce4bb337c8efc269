import Formats
import HTTP
import Platform
import TandemClient

/// `tandem export`.
enum ExportVerb: Verb {
    static let command = Command(
        "export", "Write the items of a list to a file", section: Sections.files,
        options: [
            .value(
                "format", "F", short: "f", "The file's format (default: jsonlines)",
                choices: ItemFormat.allCases.map(\.rawValue)),
            .value("output", "FILE", short: "o", "Write to this file, which is replaced when all is written"),
        ],
        arguments: [Arguments.list],
        discussion: """
            Writes to standard output unless --output is given. 'tandem import' reads both formats; 'jsonlines' keeps \
            every field as it is.

              tandem export > todo.jsonl
              tandem export work --format taskwarrior --output work.json
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let format = parsed.value("format").flatMap(ItemFormat.init(rawValue:)) ?? .jsonlines
        let list = try await context.list(named: parsed.argument("LIST"))
        let (total, bytes) = try await context.connection.export(list.name, format: format.rawValue)
        let isSeen = parsed.value("output") == nil && context.screen.terminal.isTerminal
        let bar = ProgressBar(
            "exporting", total: total, terminal: isSeen ? .plain : context.errorTerminal, write: context.complain)
        guard let path = parsed.value("output") else {
            try await copy(bytes, bar) { try context.write($0) }
            return bar.finish()
        }
        var file = try AtomicFile(replacing: path)
        try await copy(bytes, bar) { try file.write($0) }
        try file.finish()
        bar.finish()
        try context.print("exported \(list.name) to \(VisibleText.escape(path))")
    }

    private static func copy(
        _ bytes: ByteStream, _ bar: ProgressBar, to write: ([UInt8]) throws -> Void
    ) async throws {
        var lines = 0
        do {
            for try await chunk in bytes {
                try write(chunk)
                lines += chunk.count { $0 == UInt8(ascii: "\n") }
                bar.update(lines)
            }
        } catch {
            bar.finish()
            guard let error = error as? TransportError else { throw error }
            throw DaemonError(code: DaemonError.interrupted, "the export is not complete: \(error.message)")
        }
    }
}
