/// The merge rule: what one mutation makes of one item. A pure function; the hub calls it inside the transaction that
/// allocates the sequence, a replica calls it to foresee what its pending mutations will look like.
///
/// A value is *unseen* by a mutation if it came later than the base that the author saw and the author did not write
/// it, or wrote it into a counter's blend whose other parts came later than that base. Setting a field whose value was
/// seen replaces it. Setting one whose value was unseen is a conflict: one value is shown, the other kept. Clocks decide
/// which, never whether.
public enum Merge {
    /// An item after a mutation, and what the mutation did to its conflicts.
    public struct Result: Hashable, Sendable {
        /// The item at the mutation's sequence.
        public var item: Item
        /// Conflicts that the mutation opened.
        public var opened: [Conflict]
        /// Conflicts that its author had seen and settled by writing the field.
        public var closed: [Conflict]
    }

    /// Applies a mutation to an item.
    ///
    /// - Parameters:
    ///   - mutation: the change, as its author made it.
    ///   - item: the item as it stands, `nil` where there is none.
    ///   - sequence: the list's next sequence.
    /// - Throws: where a counter's field holds no number, or the sum does not fit; then nothing of it applies.
    public static func apply(
        _ mutation: Mutation, to item: Item?, as sequence: Version
    ) throws(InvalidItem) -> Result {
        var step = MergeStep(mutation, item ?? Item(id: mutation.item), sequence)
        step.closeSeenConflicts()
        step.reviveIfDeletedUnseen()
        for (name, value) in mutation.set.entries { step.set(name, value) }
        for (name, amount) in mutation.increments.entries { try step.increment(name, amount) }
        return Result(item: step.item, opened: step.opened, closed: step.closed)
    }
}

/// One application of the rule: the item before, the item so far, and the mutation's view of both.
private struct MergeStep {
    let mutation: Mutation
    let before: Item
    let origin: Origin
    var item: Item
    var opened: [Conflict] = []
    var closed: [Conflict] = []

    init(_ mutation: Mutation, _ before: Item, _ sequence: Version) {
        self.mutation = mutation
        self.before = before
        origin = Origin(version: sequence, replica: mutation.replica, n: mutation.n, at: mutation.at)
        item = before
        item.version = sequence
    }

    /// Whether the author had not seen a write that entered history at `version`.
    func isUnseen(_ write: Origin, since version: Version) -> Bool {
        version > mutation.base && !(isOwn(write) && write.blend <= mutation.base)
    }

    /// Whether the author made a write before this mutation.
    func isOwn(_ write: Origin) -> Bool { write.replica == mutation.replica && write.n < mutation.n }

    func isUnseen(_ field: Field?) -> Bool {
        field.map { isUnseen($0.origin, since: $0.origin.version) } ?? false
    }

    mutating func closeSeenConflicts() {
        let isSettled = { [self] (conflict: Conflict) in
            mutation.set[conflict.field] != nil && !isUnseen(conflict.origin, since: conflict.opened)
        }
        closed = item.conflicts.filter(isSettled)
        item.conflicts.removeAll(where: isSettled)
    }

    /// An edit whose author never saw the delete brings the item back; the delete becomes a conflict.
    mutating func reviveIfDeletedUnseen() {
        guard before.isDeleted, let deletion = before.fields[.deleted], isUnseen(deletion),
            mutation.editsContent, mutation.set[.deleted] == nil
        else { return }
        lose(.deleted, deletion)
        item.fields[.deleted] = Field(false, origin)
    }

    mutating func set(_ name: FieldName, _ value: JSON) {
        let new = Field(value, origin)
        guard !(name == .deleted && value == true && hidesUnseenEdit) else { return lose(name, new) }
        guard let current = before.fields[name], isUnseen(current) else {
            item.fields[name] = new
            return
        }
        guard current.value != value else { return }
        let winsOver = wins(name, new, over: current)
        if winsOver { item.fields[name] = new }
        if !name.isQuiet { lose(name, winsOver ? current : new) }
    }

    /// A counter's change always applies. Onto an unseen value the sum is *blended*: its writer has not seen all of it.
    mutating func increment(_ name: FieldName, _ amount: Int64) throws(InvalidItem) {
        let current = item.fields[name]
        var origin = origin
        if let current, isUnseen(current) {
            origin.blend = isOwn(current.origin) ? current.origin.blend : current.origin.version
        }
        item.fields[name] = Field(try sum(name, current?.value ?? .null, amount), origin)
    }

    /// Whether a delete would hide a value that its author never saw: then the item stays. An item that is deleted
    /// already hides it anyway, and a conflict would be about nothing.
    private var hidesUnseenEdit: Bool {
        !before.isDeleted
            && before.fields.entries.contains { $0.name != .deleted && !$0.name.isQuiet && isUnseen($0.value) }
    }

    /// Of two concurrent values the later is shown, the replica id breaking ties and then the author's own order; an
    /// undelete beats a delete.
    private func wins(_ name: FieldName, _ new: Field, over current: Field) -> Bool {
        if name == .deleted, (new.value == true) != (current.value == true) { return new.value != true }
        return (new.origin.at, new.origin.replica, new.origin.n)
            > (current.origin.at, current.origin.replica, current.origin.n)
    }

    private mutating func lose(_ name: FieldName, _ field: Field) {
        let id = ConflictID(openedBy: mutation.nonce, index: opened.count)
        let conflict = Conflict(
            id: id, field: name, value: field.value, origin: field.origin, opened: origin.version)
        opened.append(conflict)
        item.conflicts.append(conflict)
    }

    private func sum(_ name: FieldName, _ value: JSON, _ amount: Int64) throws(InvalidItem) -> JSON {
        switch value {
        case .null: return .int(amount)
        case .double(let number): return .double(number + Double(amount))
        case .int(let number):
            let (sum, overflow) = number.addingReportingOverflow(amount)
            guard !overflow else { throw InvalidItem(.counterOverflow, "\(name) would leave the 64-bit range") }
            return .int(sum)
        default: throw InvalidItem(.notACounter, "\(name) holds no number")
        }
    }
}
