package import TandemItems

/// What a record makes of an item.
package struct ImportedRecord: Hashable, Sendable {
    /// The item's id; where the record has none, the caller mints one.
    package var id: ItemID?
    /// The fields' values, `null` where the record says so; may be empty. The rules of the reserved fields and the
    /// limits are not checked here: the mutation that is made of it is.
    package var set: FieldMap<JSON>

    /// Makes a record's meaning.
    package init(id: ItemID?, set: FieldMap<JSON>) {
        self.id = id
        self.set = set
    }
}

/// A form in which other programs write items. The raw value is its name on the command line and in the local API.
package enum ItemFormat: String, CaseIterable, Sendable {
    /// What `task export` writes and `task import` reads: see ``TaskwarriorFormat``.
    case taskwarrior
    /// An object a line: the item's `id`, then its fields by name: see ``JSONLinesFormat``.
    case jsonlines

    /// The format that a file seems to have.
    ///
    /// - Parameters:
    ///   - record: the first good record of the file: it decides where it has what only one format has.
    ///   - fileName: decides otherwise.
    package static func detected(from record: JSONObject, fileName: String) -> ItemFormat {
        if record["uuid"]?.string != nil { return .taskwarrior }
        if record["id"]?.string != nil || record["title"] != nil { return .jsonlines }
        let isTask = record["description"]?.string != nil && (record["status"] ?? record["entry"])?.string != nil
        if isTask { return .taskwarrior }
        return fileName.lowercased().contains("taskwarrior") ? .taskwarrior : .jsonlines
    }

    /// What a record makes of an item. Throws where its id or a name breaks a rule; then nothing of it is taken.
    package func fields(of record: JSONObject) throws(InvalidItem) -> ImportedRecord {
        switch self {
        case .taskwarrior: try TaskwarriorFormat.fields(of: record)
        case .jsonlines: try JSONLinesFormat.fields(of: record)
        }
    }

    /// The record of an item as it is shown; `nil` for a deleted item. Open conflicts are not part of it.
    package func record(of item: Item) -> JSONObject? {
        guard !item.isDeleted else { return nil }
        return switch self {
        case .taskwarrior: TaskwarriorFormat.record(of: item)
        case .jsonlines: JSONLinesFormat.record(of: item)
        }
    }
}

extension Item {
    /// The fields that are there, in bytewise order of their names.
    var presentFields: [(name: FieldName, value: JSON)] {
        fields.entries.compactMap { $0.value.value.isNull ? nil : (name: $0.name, value: $0.value.value) }
    }
}
