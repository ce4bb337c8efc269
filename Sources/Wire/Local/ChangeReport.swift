public import TandemItems

/// What one commit changed in a list, as a client hears of it after the commit.
public struct ChangeReport: Hashable, Sendable {
    /// How one item changed.
    public struct Change: Hashable, Sendable {
        /// What happened to the item in the view.
        public enum Kind: String, Sendable {
            /// It is shown now and was not before.
            case inserted
            /// Values or conflicts changed; where the fields hold `order`, it moved.
            case updated
            /// It was shown and is deleted now.
            case removed
            /// The same values; the hub has accepted them now.
            case confirmed
        }

        /// What happened.
        public var kind: Kind
        /// The item as it is shown now.
        public var item: Item
        /// The fields whose shown values changed; empty also where it is not known which.
        public var fields: [FieldName]

        /// Makes a change.
        public init(kind: Kind, item: Item, fields: [FieldName]) {
            self.kind = kind
            self.item = item
            self.fields = fields
        }
    }

    /// The store's stamp after the commit: the place to resume from.
    public var stamp: Int64
    /// The list.
    public var list: ListName
    /// Whether the change came from the hub, not from an edit on this machine.
    public var isRemote: Bool
    /// The items that changed, each once.
    public var changes: [Change]

    /// Makes a report.
    public init(stamp: Int64, list: ListName, isRemote: Bool, changes: [Change]) {
        self.stamp = stamp
        self.list = list
        self.isRemote = isRemote
        self.changes = changes
    }

    /// The report as the local API's events and `tandem watch --json` have it.
    public var json: JSON {
        [
            "stamp": .int(stamp), "list": .string(list.text), "source": .string(isRemote ? "remote" : "local"),
            "changes": .array(changes.map(\.json)),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a change report")
        self.init(
            stamp: try object.integer("stamp"), list: try ListName(object.text("list")),
            isRemote: try object.text("source") == "remote",
            changes: try object.elements("changes").map(Change.init(json:)))
    }
}

extension ChangeReport.Change {
    var json: JSON {
        [
            "kind": .string(kind.rawValue), "fields": .array(fields.map { .string($0.text) }), "item": item.json,
        ]
    }

    init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a change")
        var fields: [FieldName] = []
        for name in try object.elements("fields") { fields.append(try FieldName(name.string ?? "")) }
        self.init(
            kind: Kind(rawValue: try object.text("kind")) ?? .updated, item: try Item(json: object["item"] ?? .null),
            fields: fields)
    }
}
