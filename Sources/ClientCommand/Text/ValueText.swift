import TandemClient

extension JSON {
    /// The value as a person reads it: a text without its quotes, all else as JSON. Not yet safe for a terminal.
    var forPeople: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: text
        }
    }
}

extension Item {
    private static let name = ListKind.mainField(of: ListKind("person"))

    /// What a person calls the item: its title or name, else its first text, else its id.
    var heading: String {
        for name in [FieldName.title, Self.name] {
            if let text = self[name].string, !text.isEmpty { return text }
        }
        let firstText = fields.entries.lazy.filter { !$0.name.isReserved }.compactMap(\.value.value.string).first
        return firstText.flatMap { $0.isEmpty ? nil : $0 } ?? id.text
    }

    /// Whether some value, or the item's removal, still waits for the hub.
    var isPending: Bool { fields.entries.contains { $0.value.origin.version == .none } }

    /// Names of the item's tags: its fields `tags/NAME` that are true.
    var tags: [String] {
        fields.entries.compactMap { name, field in
            guard name.isTag, field.value == .bool(true) else { return nil }
            return String(decoding: name.text.utf8.dropFirst(FieldName.tagPrefix.utf8.count), as: UTF8.self)
        }
    }

    /// `[x]` or `[ ]`.
    var checkBox: String { isCompleted ? "[x]" : "[ ]" }
}

extension FieldName {
    var isTag: Bool { text.utf8.starts(with: Self.tagPrefix.utf8) }
}

extension ListKind {
    /// The field that the text of a new item goes to.
    static func mainField(of kind: ListKind) -> FieldName {
        let isNamed = ["contact", "person", "user"].contains(kind.text)
        guard isNamed, let name = try? FieldName("name") else { return .title }  // the name is to the rule
        return name
    }
}
