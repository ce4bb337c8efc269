/// A record of a list: fields with their origins, and the conflicts that are open on them.
public struct Item: Hashable, Sendable, Identifiable {
    /// Names it in its list.
    public var id: ItemID
    /// The sequence of its last change; ``Version/none`` while no hub has accepted one.
    public var version: Version
    /// Every field that was ever set, removed ones as `null`.
    public var fields: FieldMap<Field>
    /// Open conflicts, oldest first.
    public var conflicts: [Conflict]
    /// Members that a newer version of the format has added; passed on as they came.
    public var unknown: JSONObject

    /// An item without fields.
    public init(id: ItemID) {
        self.id = id
        version = .none
        fields = FieldMap()
        conflicts = []
        unknown = JSONObject()
    }

    /// A field's value; ``JSON/null`` where it is absent.
    public subscript(name: FieldName) -> JSON { fields[name]?.value ?? .null }

    /// Whether the item is deleted: only a write of `deleted` makes it so.
    public var isDeleted: Bool { self[.deleted] == .bool(true) }

    /// Whether a todo is done.
    public var isCompleted: Bool { self[.isCompleted] == .bool(true) }

    /// Where the item stands in its list, compared bytewise, ties broken by id. Without an `order` field the id
    /// itself is the key, so a list is in the order in which its items were made (see ``ItemID/minted(at:random:)``).
    public var orderKey: String { self[.order].string ?? id.text }
}
