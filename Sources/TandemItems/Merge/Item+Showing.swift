extension Item {
    /// What a replica shows: the confirmed item with this replica's own pending mutations, as the hub will have it if
    /// nothing else arrives first.
    ///
    /// The view keeps the confirmed version, which is the base of the next edit. Pending values have
    /// ``Version/none`` as their origin's version. Conflicts that a pending mutation settles are gone from the view;
    /// those that it may open are not there before the hub has decided. A mutation that cannot apply shows nothing, and
    /// neither does one that the confirmed item already holds because its answer was lost on the way: a counter would
    /// be shown twice as high. (It is recognised by a trace of itself or of a later one; where others have overwritten
    /// all of them, it is foreseen again until its answer comes.)
    ///
    /// - Parameters:
    ///   - confirmed: the item as the hub has it; `nil` while no hub has accepted it.
    ///   - pending: this replica's mutations of the item, in order.
    public static func shown(_ confirmed: Item?, with pending: [Mutation]) -> Item? {
        guard !pending.isEmpty else { return confirmed }
        var item = confirmed
        for mutation in pending where !(confirmed?.holds(mutation) ?? false) {
            // A counter over a text is refused by the hub as well; until then the view stays as it is.
            guard let merged = try? Merge.apply(mutation, to: item, as: .pending) else { continue }
            item = merged.item
        }
        guard var item else { return nil }
        item.version = confirmed?.version ?? .none
        item.conflicts.removeAll { $0.opened == .pending }
        for (name, field) in item.fields.entries where field.origin.version == .pending {
            item.fields[name]?.origin.version = .none
            if field.origin.blend == .pending { item.fields[name]?.origin.blend = .none }
        }
        return item
    }

    /// Whether the item shows that the hub has accepted a mutation: it takes those of a replica in order.
    private func holds(_ mutation: Mutation) -> Bool {
        let isProof = { (origin: Origin) in origin.replica == mutation.replica && origin.n >= mutation.n }
        return fields.entries.contains { isProof($0.value.origin) } || conflicts.contains { isProof($0.origin) }
    }
}
