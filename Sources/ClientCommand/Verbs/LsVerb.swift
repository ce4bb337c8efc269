import Platform
import TandemClient

/// `tandem ls`.
enum LsVerb: Verb {
    static let command = Command(
        "ls", "Show the items of a list", section: Sections.items,
        options: [
            .value("filter", "TEXT", short: "f", "Only items that hold this text"),
            .flag("done", "Only items that are done"), .flag("open", "Only items that are not done"),
            .value("sort", "FIELD", short: "s", "Sort by this field; -FIELD sorts the other way round"),
            .value("limit", "N", short: "n", "Show at most N items"),
            .value("field", "FIELD", "Show this field in a column", isRepeatable: true),
            .flag("long", short: "L", "Show whole ids"), Options.jsonLines,
        ],
        arguments: [Arguments.list],
        discussion: """
            Ids are cut to their unique ends; every command takes them so. STATE says what is pending (not yet on the \
            hub) and what is in conflict. --json prints an item a line, with the origin of each value.

              tandem ls
              tandem ls --open --sort=-due --limit 10
              tandem ls friends --filter ann --field phone
              tandem ls --json | jq -r .fields.title
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let query = try query(parsed)
        let fields = try parsed.values("field").map { try FieldName($0) }
        let list = try await context.list(named: parsed.argument("LIST"))
        let items = try await context.connection.items(in: list.name, query)
        if parsed.flag("json") { return try printLines(items, context) }
        let isFiltered = query.text != nil || query.isCompleted != nil
        guard !items.isEmpty else {
            return try context.print(
                list.items > 0 && isFiltered
                    ? "nothing in \(list.name) fits" : "\(list.name) is empty; add something: tandem add TEXT")
        }
        let table = ItemTable(
            list: list, items: items, screen: context.screen, isLong: parsed.flag("long"), fields: fields)
        try context.print(table.text + "\n" + context.screen.text(table.summary, .dim))
    }

    private static func query(_ parsed: Parsed) throws -> ItemsQuery {
        let (done, open) = (parsed.flag("done"), parsed.flag("open"))
        guard !(done && open) else { throw parsed.mistake("takes --done or --open, not both") }
        return ItemsQuery(
            text: parsed.value("filter"), isCompleted: done || open ? done : nil, sort: parsed.value("sort"),
            limit: try parsed.integer("limit", in: 0...1_000_000))
    }

    private static func printLines(_ items: [Item], _ context: CommandContext) throws {
        var bytes: [UInt8] = []
        for item in items {
            item.json.encode(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            guard bytes.count > 1 << 20 else { continue }
            try context.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try context.write(bytes)
    }
}
