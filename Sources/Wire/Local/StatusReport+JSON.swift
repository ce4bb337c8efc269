public import TandemItems

extension StatusReport {
    /// The report as the local API and `tandem status --json` have it. Times are milliseconds since 1970.
    public var json: JSON {
        let hub: JSON =
            hubAddress.map { address in
                .object(["address": .string(address), "name": hubName.map { .string($0) } ?? .null])
            } ?? .null
        return [
            "state": .string(state), "synced": .bool(isSynced), "hub": hub,
            "pending": .int(Int64(pending)), "conflicts": .int(Int64(conflicts)),
            "quarantined": .int(Int64(quarantined)), "caught_up": .bool(isCaughtUp),
            "lists": .array(lists.map(\.json)), "problem": problem?.json ?? .null,
            "last_contact": lastContact.map { .int($0.milliseconds) } ?? .null,
            "next_try": nextTry.map { .int($0.milliseconds) } ?? .null, "clock_offset": .int(clockOffset),
            "replica": .string(replica), "name": .string(name), "store": .string(store), "version": .string(version),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a status")
        let hub = object["hub"]?.object
        self.init(
            state: try object.text("state"), replica: try object.text("replica"), name: try object.text("name"),
            store: try object.text("store"), hubAddress: hub?["address"]?.string, hubName: hub?["name"]?.string,
            isCaughtUp: object["caught_up"]?.bool ?? false,
            lists: try object.elements("lists").map(List.init(json:)),
            problem: object["problem"]?.object.map(Problem.init),
            lastContact: object["last_contact"]?.int.map(Timestamp.init(milliseconds:)),
            nextTry: object["next_try"]?.int.map(Timestamp.init(milliseconds:)),
            clockOffset: object["clock_offset"]?.int ?? 0, version: object["version"]?.string ?? "")
    }
}

extension StatusReport.List {
    /// The list as the local API and `tandem lists --json` have it.
    public var json: JSON {
        [
            "name": .string(name.text), "kind": .string(kind.text), "role": role.map { .string($0) } ?? .null,
            "items": .int(Int64(items)), "pending": .int(Int64(pending)), "conflicts": .int(Int64(conflicts)),
            "quarantined": .int(Int64(quarantined)), "lag": lag.map { .int($0) } ?? .null,
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a list")
        self.init(
            name: try ListName(object.text("name")), kind: ListKind(try object.text("kind")),
            role: object["role"]?.string, items: Int(clamping: object["items"]?.int ?? 0),
            pending: Int(clamping: object["pending"]?.int ?? 0),
            conflicts: Int(clamping: object["conflicts"]?.int ?? 0),
            quarantined: Int(clamping: object["quarantined"]?.int ?? 0), lag: object["lag"]?.int)
    }
}

extension StatusReport.Problem {
    var json: JSON {
        [
            "code": .string(code), "message": .string(message), "hint": hint.map { .string($0) } ?? .null,
        ]
    }

    init(_ object: JSONObject) {
        self.init(
            code: object["code"]?.string ?? "failed", message: object["message"]?.string ?? "",
            hint: object["hint"]?.string)
    }
}
