package import TandemItems

/// Names of replicas as a JSON object, sorted by id.
package enum Writers {
    /// `{replica id: name}`.
    package static func json(_ names: [ReplicaID: String]) -> JSON {
        .object(JSONObject(names.sorted { $0.key < $1.key }.map { ($0.key.text, .string($0.value)) }))
    }

    /// Reads the form that ``json(_:)`` writes.
    package static func read(_ json: JSON) throws(InvalidItem) -> [ReplicaID: String] {
        var names: [ReplicaID: String] = [:]
        for (key, value) in try json.members("writers").members { names[try ReplicaID(key)] = value.string }
        return names
    }
}
