public import TandemItems

/// An edit as a client asks for it.
public struct EditRequest: Hashable, Sendable {
    /// What the edit expects of the item.
    public enum Expectation: String, Sendable {
        /// The item is shown; else the answer is `no-such-item`.
        case exists
        /// There is no item of this id, or a deleted one; else the answer is `item-exists`.
        case isNew = "new"
    }

    /// The item, whole id; a new one where it is `nil`.
    public var item: ItemID?
    /// The version that the author saw; what is shown now where it is `nil`.
    public var base: Version?
    /// New values; `JSON.null` removes a field.
    public var set: FieldMap<JSON>
    /// What to add to counters.
    public var increments: FieldMap<Int64>
    /// What must be so; `nil` for nothing.
    public var expectation: Expectation?

    /// Makes a request.
    public init(
        item: ItemID? = nil, base: Version? = nil, set: FieldMap<JSON> = [:], increments: FieldMap<Int64> = [:],
        expectation: Expectation? = nil
    ) {
        self.item = item
        self.base = base
        self.set = set
        self.increments = increments
        self.expectation = expectation
    }

    package var json: JSON {
        var object: JSONObject = [:]
        if let item { object["item"] = .string(item.text) }
        if let base { object["base"] = .int(base.number) }
        if !set.isEmpty { object["set"] = set.json }
        if !increments.isEmpty { object["inc"] = increments.json }
        if let expectation { object["expect"] = .string(expectation.rawValue) }
        return .object(object)
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an edit")
        self.init(
            set: try FieldMap(values: object["set"] ?? [:]), increments: try FieldMap(increments: object["inc"] ?? [:]))
        if object["item"] != nil { item = try ItemID(object.text("item")) }
        if object["base"] != nil { base = Version(try object.integer("base")) }
        guard object["expect"] != nil else { return }
        guard let expectation = Expectation(rawValue: try object.text("expect")) else {
            throw InvalidItem(.shape, "'expect' is 'exists' or 'new'")
        }
        self.expectation = expectation
    }
}

/// What an edit did.
public struct EditResult: Hashable, Sendable {
    /// `created`, `changed` or `unchanged`.
    public var effect: String
    /// The list of the item.
    public var list: ListName
    /// The item as it is shown now.
    public var item: Item

    /// Makes a result.
    public init(effect: String, list: ListName, item: Item) {
        self.effect = effect
        self.list = list
        self.item = item
    }

    package var json: JSON {
        ["effect": .string(effect), "list": .string(list.text), "item": item.json]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an edit's result")
        self.init(
            effect: try object.text("effect"), list: try ListName(object.text("list")),
            item: try Item(json: object["item"] ?? .null))
    }
}
