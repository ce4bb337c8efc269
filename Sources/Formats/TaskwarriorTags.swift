import TandemItems

/// A task's tags as fields, `tags/NAME: true` each, so that adding one here and removing another there merge.
///
/// Taskwarrior keeps tags sorted by their bytes, as the fields are; then names alone give the array back. Where they
/// would not (another program's order, a tag twice, an empty array, one that is no field name), the field
/// `taskwarrior/tags` keeps the member as it came. It only says how to arrange the tags: which there are, the others say.
enum TaskwarriorTags {
    static let prefix = FieldName.tagPrefix
    private static let original = "taskwarrior/tags"

    /// Sets the fields of a task's `tags`. A text is one tag, as `task import` takes it.
    static func add(_ member: JSON, to set: inout FieldMap<JSON>) throws(InvalidItem) {
        let elements = member.array ?? [member]
        for name in elements.compactMap(fieldName) { set[name] = true }
        let names = set.names.compactMap { $0.text.dropping(prefix).map(JSON.string) }
        if names.isEmpty || member != .array(names) { set[try FieldName(original)] = member }
    }

    /// The field of a tag; `nil` for what can be none, which stays in the kept member alone.
    private static func fieldName(_ element: JSON) -> FieldName? {
        // A name that breaks the rule is no field; the tag itself is fine.
        element.string.flatMap { try? FieldName(prefix + $0) }
    }

    /// Collects the fields of an item that are about tags.
    struct Fields {
        private var present: Set<FieldName> = []
        private var kept: JSON?

        /// Whether a field is about tags; then it needs no more attention. A tag that is `false` is none.
        mutating func take(_ name: FieldName, _ value: JSON) -> Bool {
            if name.text == original {
                kept = value
            } else if name.text.dropping(prefix) == nil {
                return false
            } else if value != false {
                present.insert(name)
            }
            return true
        }

        /// The member `tags`; `nil` where there is none and was none.
        var member: JSON? {
            guard let kept else { return present.isEmpty ? nil : .array(sorted(present)) }
            let arranged = (kept.array ?? [kept]).filter { fieldName($0).map(present.contains) ?? true }
            let elements = arranged + sorted(present.subtracting(arranged.compactMap(fieldName)))
            return elements == [kept] ? kept : .array(elements)
        }

        private func sorted(_ names: Set<FieldName>) -> [JSON] {
            names.sorted().compactMap { $0.text.dropping(prefix).map(JSON.string) }
        }
    }
}
