import Platform
import TandemClient

/// `tandem move`.
enum MoveVerb: Verb {
    static let command = Command(
        "move", "Move an item within its list", section: Sections.items,
        options: [
            .value("before", "ID", "Put it right before this item"),
            .value("after", "ID", "Put it right behind this item"),
            .flag("first", "Put it at the start"), .flag("last", "Put it at the end"), Options.inList,
            .flag("json", short: "j", "Print the item as JSON"),
        ],
        arguments: [Arguments.id],
        discussion: """
            Takes one of --before, --after, --first and --last. Moves on several machines at once merge: no item is \
            doubled or lost.

              tandem move 3f2a --before 91cc
              tandem move 3f2a --last
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let list = try parsed.value("list").map { try ListName($0) }
        let result = try await context.connection.move(
            parsed.required("ID"), to: try destination(parsed), in: list)
        if parsed.flag("json") { return try context.print(result.json) }
        try context.print(EditText.line(result, "moved", unchanged: "there already", context.screen))
    }

    private static func destination(_ parsed: Parsed) throws -> DaemonConnection.Destination {
        let all: [DaemonConnection.Destination?] = [
            parsed.value("before").map { .before($0) }, parsed.value("after").map { .after($0) },
            parsed.flag("first") ? .first : nil, parsed.flag("last") ? .last : nil,
        ]
        let given = all.compactMap { $0 }
        guard given.count == 1 else { throw parsed.mistake("takes one of --before, --after, --first and --last") }
        return given[0]
    }
}
