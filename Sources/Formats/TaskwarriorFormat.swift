import TandemItems

/// Tasks as Taskwarrior 2.6 and later export and import them.
///
/// A task's members are the item's fields under their own names, except:
///
/// | member | in Tandem |
/// |---|---|
/// | `uuid` | the item's id |
/// | `description` | `title` |
/// | `status` | `status` as it is, and `isCompleted`, true where it is `completed` |
/// | `tags` | a field an element, `tags/NAME: true` (see ``TaskwarriorTags``) |
/// | `id`, `title`, `order`, … | `taskwarrior/id` …: a working-set number is no item id, an attribute of the user no order |
///
/// Everything else comes back out as it went in, `urgency` and attributes that nobody knows included. `status` follows
/// `isCompleted` where the two contradict each other, since that is what someone changed in Tandem. A task that
/// Taskwarrior holds as deleted is an item like others, with that status: only Tandem's own `deleted` deletes.
enum TaskwarriorFormat {
    /// Names that mean something of Tandem's own as a field.
    private static let members = NameEscape(
        prefix: "taskwarrior/", taken: ["id", "title", "isCompleted", "order", "deleted", "tags"],
        takenStart: TaskwarriorTags.prefix)
    /// Names that mean something of Taskwarrior's own as a member.
    private static let fields = NameEscape(prefix: "tandem/", taken: ["id", "uuid", "description", "tags"])

    static func fields(of record: JSONObject) throws(InvalidItem) -> ImportedRecord {
        var imported = ImportedRecord(id: nil, set: [:])
        for (key, value) in record.members {
            switch key {
            case "uuid":
                guard let text = value.string else { throw InvalidItem(.identifier, "'uuid' is no text") }
                imported.id = try ItemID(text)
            case "description": imported.set[.title] = value
            case "tags": try TaskwarriorTags.add(value, to: &imported.set)
            default: imported.set[try FieldName(fields.unescaped(key) ?? members.escaped(key))] = value
            }
        }
        if let status = record["status"] { imported.set[.isCompleted] = .bool(status == "completed") }
        return imported
    }

    static func record(of item: Item) -> JSONObject {
        var found: [(key: String, value: JSON)] = [("uuid", .string(item.id.text))]
        var imported: JSON = .null
        var tags = TaskwarriorTags.Fields()
        for (name, value) in item.presentFields where !tags.take(name, value) {
            switch name.text {
            case "order", "deleted", "isCompleted": continue
            case "status": imported = value
            case "title": found.append((key: "description", value: value))
            default: found.append((key: members.unescaped(name.text) ?? fields.escaped(name.text), value: value))
            }
        }
        let status = status(imported: imported, isCompleted: item[.isCompleted].bool)
        if !status.isNull { found.append((key: "status", value: status)) }
        if let tags = tags.member { found.append((key: "tags", value: tags)) }
        return arranged(found)
    }

    /// What was imported, unless `isCompleted` says otherwise.
    private static func status(imported: JSON, isCompleted: Bool?) -> JSON {
        switch isCompleted {
        case true?: "completed"
        case false? where imported.isNull || imported == "completed": "pending"
        default: imported
        }
    }

    /// Members in the order in which `task export` writes them: `id`, the others by name, these four.
    private static func arranged(_ members: [(key: String, value: JSON)]) -> JSONObject {
        let last = ["annotations", "tags", "depends", "urgency"]
        let ranked = members.map { member in
            (rank: last.firstIndex(of: member.key) ?? (member.key == "id" ? -2 : -1), member: member)
        }
        let sorted = ranked.sorted { left, right in
            left.rank == right.rank
                ? left.member.key.utf8.lexicographicallyPrecedes(right.member.key.utf8) : left.rank < right.rank
        }
        return JSONObject(sorted.map { ($0.member.key, $0.member.value) })
    }
}
