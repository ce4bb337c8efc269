import Platform
import TandemClient

/// `tandem lists`.
enum ListsVerb: Verb {
    static let command = Command(
        "lists", "Show the lists, or add one", section: Sections.items, options: [Options.json],
        subcommands: [ListsAddVerb.command], runsAlone: true,
        discussion: """
            The first list is the default list of the other commands.

              tandem lists
              tandem lists add friends --kind contact
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let lists = try await context.connection.lists()
        if parsed.flag("json") { return try context.print(["lists": .array(lists.map(\.json))]) }
        guard !lists.isEmpty else { return try context.print("no lists yet; add one: tandem lists add NAME") }
        let isJoined = lists.contains { $0.role != nil }
        let table = ListTable(lists: lists, isJoined: isJoined, screen: context.screen)
        try context.write(Array(table.text.utf8))
    }
}

/// `tandem lists add`.
enum ListsAddVerb: Verb {
    static let command = Command(
        "add", "Add an empty list on this machine",
        options: [.value("kind", "KIND", "What it holds", choices: ListKind.known.map(\.text))],
        arguments: [.init("NAME", "Letters, digits, '-', '_' and '.'")],
        discussion: """
            Without --kind the list is of todos. The hub shares a list once it has one of the same name: \
            'tandem-hub list add NAME'.

              tandem lists add shopping
              tandem lists add friends --kind contact
            """)

    static func run(_ parsed: Parsed, _ context: CommandContext) async throws {
        let name = try ListName(parsed.required("NAME"))
        let kind = ListKind(parsed.value("kind") ?? ListKind.todo.text)
        try await context.connection.addList(name, kind: kind)
        if parsed.flag("json") {
            return try context.print(["name": .string(name.text), "kind": .string(kind.text)])
        }
        try context.print("added the list '\(name)' (\(kind))")
    }
}
