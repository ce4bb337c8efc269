import Platform
import TandemClient

/// `tandem done`.
enum DoneVerb: Verb {
    static let command = Command(
        "done", "Mark items as done, or as open again", section: Sections.items,
        options: [
            .flag("undo", "Mark them as open again"), Options.inList,
            .flag("json", short: "j", "Print the items as JSON, one a line"),
        ],
        arguments: [Arguments.ids],
        discussion: """
            Nothing is changed unless all of the ids are found.

              tandem done 3f2a
              tandem done 3f2a 91cc
              tandem done --undo 3f2a
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let undo = parsed.flag("undo")
        try await context.editEach(
            parsed, set: [.isCompleted: .bool(!undo)], word: undo ? "open again" : "done",
            unchanged: undo ? "open already" : "done already")
    }
}

extension CommandContext {
    /// Makes the same edit of each item that the argument `ID` names.
    func editEach(_ parsed: Parsed, set: FieldMap<JSON>, word: String, unchanged: String) async throws {
        for found in try await find(parsed.arguments("ID"), in: parsed.value("list")) {
            let edit = EditRequest(item: found.item.id, set: set, expectation: .exists)
            let result = try await connection.edit(edit, in: found.list)
            if parsed.flag("json") {
                try print(result.json)
            } else {
                try print(EditText.line(result, word, unchanged: unchanged, screen))
            }
        }
    }
}
