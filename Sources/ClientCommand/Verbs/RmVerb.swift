import Platform
import TandemClient

/// `tandem rm`.
enum RmVerb: Verb {
    static let command = Command(
        "rm", "Delete items", section: Sections.items,
        options: [Options.inList, .flag("json", short: "j", "Print the items as JSON, one a line")],
        arguments: [Arguments.ids],
        discussion: """
            Nothing is deleted unless all of the ids are found. If someone edits the item elsewhere at the same time, it \
            stays, and the deletion is kept as a conflict. 'tandem set ID deleted=false' brings an item back.

              tandem rm 3f2a
              tandem rm 3f2a 91cc
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        try await context.editEach(parsed, set: [.deleted: true], word: "deleted", unchanged: "deleted already")
    }
}
