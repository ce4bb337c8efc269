import Platform
import TandemClient

/// `tandem add`.
enum AddVerb: Verb {
    static let command = Command(
        "add", "Add an item", section: Sections.items,
        options: [Options.list, .flag("json", short: "j", "Print the new item as JSON")],
        arguments: [
            .init("TEXT", "Its title; in lists of contacts, persons and users its name"),
            .init("FIELD=VALUE", "More fields", .any),
        ],
        discussion: """
            A VALUE that is written as JSON (a number, true, false, null, "a text", [...], {...}) is that; anything \
            else is a text. A tag is a field: tags/NAME=true.

              tandem add 'Buy milk'
              tandem add --list work 'Write report' due=2026-12-24 priority=1 tags/office=true
              tandem add --list friends 'Ann Smith' 'phone="0123 456"'
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        var edit = EditRequest(expectation: .isNew)
        try edit.apply(parsed.arguments("FIELD=VALUE"), parsed)
        guard edit.increments.isEmpty else { throw parsed.mistake("a new item has no counters to add to") }
        let list = try await context.list(named: parsed.value("list"))
        let main = ListKind.mainField(of: list.kind)
        guard edit.set[main] == nil else { throw parsed.mistake("the text is the field '\(main)'; give it once") }
        edit.set[main] = .string(parsed.required("TEXT"))
        if list.kind == .todo, edit.set[.isCompleted] == nil { edit.set[.isCompleted] = false }
        let result = try await context.connection.edit(edit, in: list.name)
        if parsed.flag("json") { return try context.print(result.json) }
        try context.print(EditText.line(result, "added", unchanged: "unchanged", context.screen))
    }
}
