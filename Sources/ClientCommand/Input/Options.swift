import Platform

/// Options that several verbs take.
enum Options {
    static let json = Command.Option.flag("json", short: "j", "Print JSON, as the daemon's local API has it")
    static let jsonLines = Command.Option.flag("json", short: "j", "Print JSON lines: one object a line")
    static let list = Command.Option.value("list", "LIST", short: "l", "The list (default: the first)")
    static let inList = Command.Option.value("list", "LIST", short: "l", "Look for ids in this list only")
}

/// Arguments that several verbs take.
enum Arguments {
    static let list = Command.Argument("LIST", "The list (default: the first)", .optional)
    static let id = Command.Argument("ID", "The item, cut to a unique beginning or end")
    static let ids = Command.Argument("ID", "The items, cut to unique beginnings or ends", .some)
}

/// Headings of the help.
enum Sections {
    static let sync = "The hub"
    static let items = "Lists and items"
    static let trouble = "When something needs you"
    static let files = "Files"
}
