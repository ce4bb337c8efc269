import Platform
import TandemClient

/// `tandem set`.
enum SetVerb: Verb {
    static let command = Command(
        "set", "Change fields of an item", section: Sections.items,
        options: [
            .value("base", "VERSION", "The version that you saw: what others have changed since is kept as a conflict"),
            Options.inList, .flag("json", short: "j", "Print the item as JSON"),
        ],
        arguments: [Arguments.id, .init("FIELD=VALUE", "What to change", .some)],
        discussion: """
            A VALUE that is written as JSON (a number, true, false, null, "a text", [...], {...}) is that; anything \
            else is a text, and title and name always are. FIELD=null removes a field. FIELD+=N and FIELD-=N count: \
            what several machines count at once adds up.

              tandem set 3f2a 'title=Buy oat milk' due=2026-12-24
              tandem set 3f2a amount+=2 tags/shop=null
              tandem set 3f2a deleted=false       brings a deleted item back
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        var edit = EditRequest()
        try edit.apply(parsed.arguments("FIELD=VALUE"), parsed)
        edit.base = try parsed.value("base", "a version: a whole number of 0 or more") { text in
            Int64(text).flatMap { $0 >= 0 ? Version($0) : nil }
        }
        let found = try await context.find(parsed.required("ID"), in: parsed.value("list"))
        edit.item = found.item.id
        if edit.set[.deleted] == nil { edit.expectation = .exists }
        let result = try await context.connection.edit(edit, in: found.list)
        if parsed.flag("json") { return try context.print(result.json) }
        try context.print(EditText.line(result, "changed", unchanged: "unchanged", context.screen))
    }
}
