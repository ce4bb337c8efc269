extension Mutation {
    /// The mutation as a JSON object: `{"replica", "n", "nonce", "item", "base", "at", "set": {name: value},
    /// "inc": {name: integer}}`; `set` and `inc` are left out where they are empty.
    public var json: JSON {
        var object: JSONObject = [
            "replica": .string(replica.text), "n": .int(n), "nonce": .string(nonce.text), "item": .string(item.text),
            "base": .int(base.number), "at": .int(at.milliseconds),
        ]
        if !set.isEmpty { object["set"] = set.json }
        if !increments.isEmpty { object["inc"] = increments.json }
        object.append(contentsOf: unknown)
        return .object(object)
    }

    /// Reads the form that ``json`` writes. Throws where a member is missing, has another type, breaks a name's rule,
    /// or one field is both set and counted.
    public init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a mutation")
        self.init(
            replica: try ReplicaID(object.text("replica")), n: try object.integer("n"),
            nonce: try Nonce(object.text("nonce")), item: try ItemID(object.text("item")),
            base: Version(try object.integer("base")), set: try FieldMap(values: object["set"] ?? [:]),
            increments: try FieldMap(increments: object["inc"] ?? [:]),
            at: Timestamp(milliseconds: try object.integer("at")),
            unknown: object.without(["replica", "n", "nonce", "item", "base", "at", "set", "inc"]))
        try check()
    }

    /// Throws where the members contradict each other or a rule of the reserved fields.
    package func check() throws(InvalidItem) {
        guard n > 0, base >= .none else { throw InvalidItem(.shape, "n counts from 1, base from 0") }
        guard !set.isEmpty || !increments.isEmpty else { throw InvalidItem(.shape, "a mutation changes something") }
        guard increments.names.allSatisfy({ set[$0] == nil && !$0.isReserved }) else {
            throw InvalidItem(.shape, "a field is either set or counted, and reserved fields are set")
        }
        guard set[.deleted].map({ $0.bool != nil }) ?? true else {
            throw InvalidItem(.shape, "'deleted' is true or false")
        }
        guard set[.order].map({ $0.string?.isName(maximumBytes: Limits.orderKeyBytes) ?? $0.isNull }) ?? true else {
            throw InvalidItem(.shape, "'order' is a text of 1 to \(Limits.orderKeyBytes) bytes, no control characters")
        }
    }
}

extension FieldMap<JSON> {
    /// An object of the values by field name.
    package var json: JSON { .object(JSONObject(entries.map { ($0.name.text, $0.value) })) }

    /// New values by field name, from a JSON object.
    package init(values json: JSON) throws(InvalidItem) {
        self.init()
        for (key, value) in try json.fieldMembers("set") { self[try FieldName(key)] = value }
    }
}

extension FieldMap<Int64> {
    /// An object of the amounts by field name.
    package var json: JSON { .object(JSONObject(entries.map { ($0.name.text, .int($0.value)) })) }

    /// Amounts by field name, from a JSON object of integers.
    package init(increments json: JSON) throws(InvalidItem) {
        self.init()
        for (key, value) in try json.fieldMembers("inc") {
            guard let amount = value.int else { throw InvalidItem(.shape, "inc: \(key) is not a 64-bit integer") }
            self[try FieldName(key)] = amount
        }
    }
}
