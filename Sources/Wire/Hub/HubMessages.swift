package import TandemItems

extension Hello {
    /// `{"name", "epoch", "protocol": {"min", "max"}, "hub_time", "limits": {…}, "lists": [{"name", "kind", "role",
    /// "head"}], "writers": {replica: name}}`.
    package var json: JSONObject {
        [
            "name": .string(name), "epoch": .string(epoch.text), "hub_time": .int(time.milliseconds),
            "protocol": ["min": .int(Int64(protocols.lowerBound)), "max": .int(Int64(protocols.upperBound))],
            "limits": limits.json,
            "lists": .array(grants.map { .object($0.json) }),
            "writers": Writers.json(writers),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("hello")
        let range = try (object["protocol"] ?? .null).members("protocol")
        let lower = Int(truncatingIfNeeded: try range.integer("min"))
        let upper = Int(truncatingIfNeeded: try range.integer("max"))
        guard lower <= upper else { throw InvalidItem(.shape, "protocol: min is above max") }
        let lists = try object.elements("lists")
        guard lists.count <= HubText.lists else { throw InvalidItem(.shape, "more than \(HubText.lists) lists") }
        let writers = try Writers.read(object["writers"] ?? [:])
        self.init(
            name: try object.text("name").cut(toBytes: HubText.nameBytes), epoch: try Epoch(json: object),
            protocols: lower...upper, limits: try Limits(json: object["limits"] ?? [:]),
            grants: try lists.map(Grant.init(json:)),
            time: Timestamp(milliseconds: try object.integer("hub_time")),
            writers: writers.mapValues { $0.cut(toBytes: HubText.nameBytes) })
    }
}

extension Grant {
    package var json: JSONObject {
        [
            "name": .string(list.text), "kind": .string(kind.text), "role": .string(role.rawValue),
            "head": .int(head.number),
        ]
    }

    /// A role that this version does not know reads as the least.
    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a list")
        self.init(
            list: try ListName(object.text("name")),
            kind: ListKind(try object.text("kind").cut(toBytes: Limits.listNameBytes)),
            role: Role(rawValue: try object.text("role")) ?? .reader, head: try object.version("head"))
    }
}

extension Outcome {
    /// `{"version"}` or `{"code", "message"}`.
    package var json: JSON {
        switch self {
        case .accepted(let version): ["version": .int(version.number)]
        case .refused(let refusal): ["code": .string(refusal.code), "message": .string(refusal.message)]
        }
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an outcome")
        if object["version"] != nil {
            self = .accepted(try object.version("version"))
        } else {
            self = .refused(
                Refusal(
                    code: try object.text("code").cut(toBytes: Limits.replicaBytes),
                    message: try object.text("message").cut(toBytes: HubText.messageBytes)))
        }
    }
}

extension PushAnswer {
    /// `{"outcomes": [outcome], "items": [item], "seen": cursor}`.
    package var json: JSONObject {
        var object: JSONObject = ["outcomes": .array(outcomes.map(\.json)), "items": .array(items.map(\.json))]
        if let seen { object["seen"] = .string(seen.description) }
        return object
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a push's answer")
        self.init(
            outcomes: try object.elements("outcomes").map(Outcome.init(json:)),
            items: try object.elements("items").map(Item.init(json:)),
            seen: object["seen"]?.string.flatMap { Cursor($0) })
    }
}

extension ChangesPage {
    /// The last line of a page: where the next one starts. Its presence shows that the page is whole.
    package static func trailer(cursor: Cursor, head: Version) -> JSONObject {
        ["cursor": .string(cursor.description), "head": .int(head.number)]
    }

    /// Reads a page: an item a line, then the trailer. A page without it was cut short and is refused.
    package init(jsonLines bytes: [UInt8]) throws(InvalidItem) {
        var items: [Item] = []
        for line in JSONLines(bytes) {
            let value: JSON
            do throws(JSONError) {
                value = try JSON(parsing: line)
            } catch {
                throw InvalidItem(.shape, "a line of the changes is not JSON: \(error)")
            }
            if let object = value.object, object["id"] == nil, let text = object["cursor"]?.string {
                guard let cursor = Cursor(text) else { throw InvalidItem(.shape, "no cursor: \(text)") }
                self.init(items: items, cursor: cursor, head: try object.version("head"))
                return
            }
            items.append(try Item(json: value))
        }
        throw InvalidItem(.shape, "the changes were cut short")
    }
}

/// Mutations on their way to the hub: `{"mutations": [mutation]}`.
package enum PushBody {
    package static func encode(_ mutations: [Mutation]) -> [UInt8] {
        JSON.object(["mutations": .array(mutations.map(\.json))]).encoded()
    }
}
