public import TandemItems

/// An open conflict with both values, as `tandem conflicts` shows it.
public struct ConflictReport: Hashable, Sendable {
    /// The list of the item.
    public var list: ListName
    /// The item as it is shown.
    public var item: Item
    /// The value that is not shown, and who wrote it.
    public var conflict: Conflict
    /// Names of the replicas that wrote, for people.
    public var writers: [ReplicaID: String]

    /// Makes a report.
    public init(list: ListName, item: Item, conflict: Conflict, writers: [ReplicaID: String]) {
        self.list = list
        self.item = item
        self.conflict = conflict
        self.writers = writers
    }

    /// The report as the local API and `tandem conflicts --json` have it.
    public var json: JSON {
        [
            "list": .string(list.text), "item": item.json, "conflict": conflict.json, "writers": Writers.json(writers),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a conflict report")
        self.init(
            list: try ListName(object.text("list")), item: try Item(json: object["item"] ?? .null),
            conflict: try Conflict(json: object["conflict"] ?? .null),
            writers: try Writers.read(object["writers"] ?? [:]))
    }
}
