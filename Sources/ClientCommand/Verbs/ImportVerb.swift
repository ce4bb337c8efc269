import Formats
import Glibc
import Platform
import TandemClient

/// `tandem import`.
enum ImportVerb: Verb {
    /// Small enough that the bar moves with each batch or two.
    private static let chunkBytes = 64 << 10

    static let command = Command(
        "import", "Read items from a file", section: Sections.files,
        options: [
            .value(
                "format", "F", short: "f", "The file's format (default: found out of the file)",
                choices: ItemFormat.allCases.map(\.rawValue)),
            Options.list,
        ],
        arguments: [.init("FILE", "What to read; - is standard input")],
        discussion: """
            Importing a file again changes nothing, and importing a newer one brings in what has changed: items are \
            known by their ids (records without one are added anew each time). Faulty records are told with their \
            lines and left out; all others go in. Then the exit code is 1.

              task export | tandem import -
              tandem import items.jsonl --list work
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let path = parsed.required("FILE")
        let file = path == "-" ? FileDescriptor(owning: STDIN_FILENO) : try FileDescriptor(opening: path, O_RDONLY)
        let list = try await context.list(named: parsed.value("list"))
        let name = path == "-" ? "stdin" : path
        let log = RefusalLog(name, context)
        var pump = ImportPump(
            context.connection, into: list.name, format: parsed.value("format").flatMap(ItemFormat.init(rawValue:)),
            fileName: name, refuse: { log.add(line: $0, $1) })
        let bar = ProgressBar("importing", total: file.size, terminal: context.errorTerminal, write: context.complain)
        do {
            while case let bytes = try file.read(maximumBytes: chunkBytes, path: name), !bytes.isEmpty {
                try await pump.take(bytes)
                bar.update(pump.bytesDone)
            }
            try await pump.finish()
        } catch {
            bar.finish()
            log.finish()
            throw stopped(by: error, pump)
        }
        bar.finish()
        log.finish()
        try end(pump.summary, name, context)
    }

    private static func end(_ summary: ImportSummary, _ name: String, _ context: CommandContext) throws {
        guard summary.records > 0 || summary.refused == 0 else {
            throw DaemonError(code: "nothing-imported", "nothing was imported from \(name)")
        }
        try context.print(summary.text)
        if summary.refused > 0 { throw EndedWithCode(code: 1) }
    }

    /// What is imported stays; that must be said where the rest is not.
    private static func stopped(by error: any Error, _ pump: ImportPump) -> any Error {
        guard pump.summary.imported > 0, let error = error as? DaemonError else { return error }
        return DaemonError(
            code: error.code, "\(pump.summary.text); stopped behind line \(pump.lastLine): \(error.message)",
            hint: "import the file again then: what is there stays as it is" + (error.hint.map { "; \($0)" } ?? ""))
    }
}
