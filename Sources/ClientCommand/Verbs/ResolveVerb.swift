import Platform
import TandemClient

/// `tandem resolve`.
enum ResolveVerb: Verb {
    static let command = Command(
        "resolve", "Settle a conflict", section: Sections.trouble,
        options: [
            .flag("shown", "Keep the value that is shown"), .flag("other", "Take the other value"),
            .value("value", "VALUE", "Write this value instead of both"),
            .flag("json", short: "j", "Print the item as JSON"),
        ],
        arguments: [.init("CONFLICT", "Its id in 'tandem conflicts', cut to a unique beginning")],
        discussion: """
            Takes one of --shown, --other and --value, and settles it on every machine. VALUE is read as in \
            'tandem set'.

              tandem resolve 9c1e --other
              tandem resolve 9c1e --value 'Buy oat milk'
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let id = parsed.required("CONFLICT")
        _ = try resolution(parsed, nil)
        let fitting = try await context.connection.conflicts().filter { $0.conflict.id.text.hasPrefix(id) }
        let conflict = fitting.count == 1 ? fitting[0].conflict : nil
        let resolution = try resolution(parsed, conflict?.field)
        let result = try await context.connection.resolve(conflict?.id.text ?? id, resolution)
        if parsed.flag("json") { return try context.print(result.json) }
        let words = conflict.map { ": " + Self.words($0.field, result.item[$0.field]) } ?? ""
        try context.print(
            EditText.line(result, "resolved", unchanged: "resolved", context.screen) + context.screen.text(words))
    }

    private static func words(_ field: FieldName, _ value: JSON) -> String {
        let words = ConflictText.words(field, value)
        return field == .deleted ? words : "\(field) = \(words)"
    }

    private static func resolution(_ parsed: Parsed, _ field: FieldName?) throws -> DaemonConnection.Resolution {
        let all: [DaemonConnection.Resolution?] = [
            parsed.flag("shown") ? .shown : nil, parsed.flag("other") ? .other : nil,
            parsed.value("value").map { .value(FieldAssignment.value($0, of: field)) },
        ]
        let given = all.compactMap { $0 }
        guard given.count == 1 else { throw parsed.mistake("takes one of --shown, --other and --value") }
        return given[0]
    }
}
