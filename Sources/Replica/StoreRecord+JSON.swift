import Sync
import TandemItems

/// The form in which the record is stored: one JSON object, so that a member more is no new schema.
extension StoreRecord {
    var json: JSON {
        var object: JSONObject = [
            "replica": .string(replica.text), "name": .string(name), "machine": .string(machine), "path": .string(path),
            "clock_offset": .int(clockOffset), "limits": limits.json,
        ]
        if let membership { object["membership"] = membership.json }
        if let epoch { object["epoch"] = .string(epoch.text) }
        return .object(object)
    }

    init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a store's record")
        self.init(
            replica: try ReplicaID(object.text("replica")), name: try object.text("name"),
            machine: try object.text("machine"), path: try object.text("path"),
            epoch: object["epoch"]?.string.map { Epoch($0) }, clockOffset: try object.integer("clock_offset"),
            limits: try Limits(json: object["limits"] ?? [:]))
        if let json = object["membership"] { membership = try Membership(json: json) }
    }
}

extension Membership {
    fileprivate var json: JSON {
        var object: JSONObject = ["address": .string(address), "token": .string(token)]
        if let hubName { object["hub_name"] = .string(hubName) }
        return .object(object)
    }

    fileprivate init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a membership")
        self.init(
            address: try object.text("address"), token: try object.text("token"), hubName: object["hub_name"]?.string)
    }
}
