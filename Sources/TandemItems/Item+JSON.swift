extension Item {
    /// The item as a JSON object, the same on the wire and in every store:
    ///
    /// `{"id", "version", "fields": {name: value}, "origins": [{"version", "replica", "n", "at", "fields": [name]}],
    /// "conflicts": [{"id", "field", "value", "opened", "version", "replica", "n", "at"}]}`
    ///
    /// Fields written together share an origin; an origin without `fields` is that of all fields. Without conflicts
    /// the member is left out.
    public var json: JSON {
        var object: JSONObject = ["id": .string(id.text), "version": .int(version.number)]
        object["fields"] = .object(JSONObject(fields.entries.map { ($0.name.text, $0.value.value) }))
        object["origins"] = .array(originGroups)
        if !conflicts.isEmpty { object["conflicts"] = .array(conflicts.map(\.json)) }
        object.append(contentsOf: unknown)
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an item")
        self.init(id: try ItemID(object.text("id")))
        version = try object.version("version")
        let values = JSONObject(distinct: try (object["fields"] ?? [:]).fieldMembers("fields"))
        for group in try object.elements("origins") {
            let group = try group.members("an origin")
            let origin = try Origin(json: group)
            let names = if let named = group["fields"] { try named.names() } else { values.members.map(\.key) }
            for name in names {
                let field = try FieldName(name)
                guard let value = values[name] else { throw InvalidItem(.shape, "an origin without its field") }
                guard fields[field] == nil else { throw InvalidItem(.shape, "a field with two origins") }
                fields[field] = Field(value, origin)
            }
        }
        guard fields.count == values.members.count else { throw InvalidItem(.shape, "a field without its origin") }
        conflicts = try object.elements("conflicts").map(Conflict.init(json:))
        unknown = object.without(["id", "version", "fields", "origins", "conflicts"])
    }

    private var originGroups: [JSON] {
        var groups: [(origin: Origin, names: [JSON])] = []
        for (name, field) in fields.entries {
            if let index = groups.firstIndex(where: { $0.origin == field.origin }) {
                groups[index].names.append(.string(name.text))
            } else {
                groups.append((origin: field.origin, names: [.string(name.text)]))
            }
        }
        return groups.map { group in
            var object = group.origin.json
            if groups.count > 1 { object["fields"] = .array(group.names) }
            return .object(object)
        }
    }
}

extension Origin {
    /// The members `version`, `replica`, `n`, `at`, and `blend` where there is one.
    package var json: JSONObject {
        var object: JSONObject = [
            "version": .int(version.number), "replica": .string(replica.text), "n": .int(n),
            "at": .int(at.milliseconds),
        ]
        if isBlended { object["blend"] = .int(blend.number) }
        return object
    }

    /// Reads the members that ``json`` writes.
    package init(json: JSONObject) throws(InvalidItem) {
        self.init(
            version: try json.version("version"), replica: try ReplicaID(json.text("replica")),
            n: try json.integer("n"), at: Timestamp(milliseconds: try json.integer("at")),
            blend: json["blend"] == nil ? .none : try json.version("blend"))
    }
}

extension Conflict {
    /// The conflict as a JSON object: `{"id", "field", "value", "opened"}` and the members of the origin.
    public var json: JSON {
        var object: JSONObject = [
            "id": .string(id.text), "field": .string(field.text), "value": value, "opened": .int(opened.number),
        ]
        object.append(contentsOf: origin.json)
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a conflict")
        self.init(
            id: try ConflictID(json: object), field: try FieldName(object.text("field")),
            value: object["value"] ?? .null, origin: try Origin(json: object),
            opened: try object.version("opened"))
    }
}

extension ConflictID {
    fileprivate init(json: JSONObject) throws(InvalidItem) {
        let text = try json.text("id")
        guard text.isName(maximumBytes: Limits.identifierBytes) else {
            throw InvalidItem(.shape, "a conflict's id has 1 to \(Limits.identifierBytes) bytes, no control characters")
        }
        self.init(text)
    }
}
