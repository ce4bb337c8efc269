import TandemItems

/// Tandem's own form: an object a line, `id` and then the fields by name as they are, `order` and all. A field that is
/// named `id` is the member `fields/id`, since `id` is the item's.
enum JSONLinesFormat {
    private static let names = NameEscape(prefix: "fields/", taken: ["id"])

    /// A member of any name is a field; `deleted: true` deletes.
    static func fields(of record: JSONObject) throws(InvalidItem) -> ImportedRecord {
        var imported = ImportedRecord(id: nil, set: [:])
        for (key, value) in record.members {
            if key == "id" {
                guard let text = value.string else { throw InvalidItem(.identifier, "'id' is no text") }
                imported.id = try ItemID(text)
            } else {
                imported.set[try FieldName(names.unescaped(key) ?? key)] = value
            }
        }
        return imported
    }

    static func record(of item: Item) -> JSONObject {
        JSONObject([("id", .string(item.id.text))] + item.presentFields.map { (names.escaped($0.name.text), $0.value) })
    }
}
