/// One accepted mutation in a list's history, and what it did.
package struct HistoryEntry: Hashable, Sendable {
    package var sequence: Version
    package var mutation: Mutation
    /// When the hub accepted it, in hub time.
    package var accepted: Timestamp
    /// The conflicts that it opened.
    package var opened: [Conflict]
    /// The conflicts that it settled: values that its author had seen and written over.
    package var closed: [Conflict]

    package init(
        sequence: Version, mutation: Mutation, accepted: Timestamp, opened: [Conflict], closed: [Conflict]
    ) {
        self.sequence = sequence
        self.mutation = mutation
        self.accepted = accepted
        self.opened = opened
        self.closed = closed
    }
}

extension HistoryEntry {
    /// `{"sequence", "accepted", "mutation", "opened": [conflict], "closed": [conflict]}`.
    package var json: JSON {
        [
            "sequence": .int(sequence.number), "accepted": .int(accepted.milliseconds), "mutation": mutation.json,
            "opened": .array(opened.map(\.json)), "closed": .array(closed.map(\.json)),
        ]
    }

    /// Reads the form that ``json`` writes.
    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("a history entry")
        self.init(
            sequence: try object.version("sequence"), mutation: try Mutation(json: object["mutation"] ?? .null),
            accepted: Timestamp(milliseconds: try object.integer("accepted")),
            opened: try object.elements("opened").map(Conflict.init(json:)),
            closed: try object.elements("closed").map(Conflict.init(json:)))
    }
}
