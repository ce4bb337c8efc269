@testable import TandemItems

/// A promise of the merge that a schedule broke.
enum Violation: String, Hashable, Sendable {
    case appliedTwice, neverApplied, diverged
    case valueLost, valueReturned, editHidden, counterMixed
    case falseConflict, pointlessConflict, conflictClosedUnseen, conflictUnreported, quietConflict
    case viewUnlikeHub, editInvisible
}

/// Watches each application of the rule, and at the end accounts for every value that was ever written. Judges by
/// ``CausalHistory`` alone.
struct MergeOracle {
    var history: CausalHistory
    private(set) var violations: Set<Violation> = []
    private var kept: [FieldName: Writes] = [:]
    private var twins: [FieldName: [Int: Int]] = [:]

    init(replicas: Int) { history = CausalHistory(replicas: replicas) }

    mutating func expect(_ isTrue: Bool, else violation: Violation) {
        if !isTrue { violations.insert(violation) }
    }

    /// Looks at one accepted mutation.
    mutating func observe(_ mutation: Mutation, from before: Item?, to result: Merge.Result) {
        let index = history.index(of: mutation)
        let isFirst = history.accept(index, as: result.item.version)
        expect(isFirst, else: .appliedTwice)
        let known = history.known(to: index)
        let gone = before?.conflicts.filter { !result.item.conflicts.contains($0) } ?? []
        expect(gone == result.closed, else: .conflictUnreported)
        expect(
            (before?.conflicts ?? []).filter { !gone.contains($0) } + result.opened == result.item.conflicts,
            else: .conflictUnreported)
        for conflict in gone { expect(history.parts(of: conflict) & ~known == 0, else: .conflictClosedUnseen) }
        for conflict in result.opened { judge(conflict, openedBy: index, before, result.item) }
        noteTwins(of: index, result)
        if result.item.isDeleted {
            let deleter = history.parts(of: .deleted, in: result.item)
            let seen = history.known(to: deleter.trailingZeroBitCount)
            expect(history.content(of: result.item) & ~seen == 0, else: .editHidden)
        }
    }

    /// A conflict is between two values of which the later author did not know the earlier, and it is about something.
    private mutating func judge(_ conflict: Conflict, openedBy index: Int, _ before: Item?, _ after: Item) {
        let parts = history.parts(of: conflict)
        kept[conflict.field, default: 0] |= parts
        let isOwn = parts & history.bit(index) != 0
        var other = isOwn ? history.parts(of: conflict.field, in: before) : parts
        if isOwn && conflict.field == .deleted { other |= history.content(of: before) }
        expect(other & ~history.known(to: index) != 0, else: .falseConflict)
        expect(after[conflict.field] != conflict.value, else: .pointlessConflict)
        expect(!conflict.field.isQuiet, else: .quietConflict)
    }

    /// A value that was already there, written by another: that one carries it from now on.
    private mutating func noteTwins(of index: Int, _ result: Merge.Result) {
        for (name, value) in history.writes[index].mutation.set.entries where result.item[name] == value {
            let standing = history.parts(of: name, in: result.item)
            if standing & history.bit(index) == 0 { twins[name, default: [:]][index] = standing.trailingZeroBitCount }
        }
    }

    /// Accounts for everything, once all is delivered.
    mutating func settle(_ items: [Item?]) {
        for (index, write) in history.writes.enumerated() {
            expect(write.version != nil, else: .neverApplied)
            let names = (write.mutation.set.names + write.mutation.increments.names).filter { !$0.isQuiet }
            for name in names { expect(isAccounted(index, name, items), else: .valueLost) }
        }
        for (number, item) in items.enumerated() {
            for name in item?.fields.names ?? [] { judgeStanding(name, number, items) }
        }
    }

    /// Whether a written value stands, was replaced by someone who saw it, is kept as a conflict, or has an equal twin
    /// of which this holds.
    private func isAccounted(_ index: Int, _ name: FieldName, _ items: [Item?]) -> Bool {
        let bit = history.bit(index)
        let item = history.writes[index].item
        if (history.parts(of: name, in: items[item]) | kept[name, default: 0]) & bit != 0 { return true }
        if isReplaced(bit, name, item) { return true }
        return twins[name]?[index].map { isAccounted($0, name, items) } ?? false
    }

    /// Whether a write that had seen one of `parts`, other than those in `excluded`, set the field.
    private func isReplaced(_ parts: Writes, _ name: FieldName, _ item: Int, except excluded: Writes = 0) -> Bool {
        var bit: Writes = 1
        for write in history.writes {
            let isLater = write.seen & parts != 0 && excluded & bit == 0 && write.item == item
            if isLater && write.mutation.set[name] != nil { return true }
            bit <<= 1
        }
        return false
    }

    /// No value stands that a later write had seen and replaced, and a counter is one set value and what was added.
    private mutating func judgeStanding(_ name: FieldName, _ number: Int, _ items: [Item?]) {
        let parts = history.parts(of: name, in: items[number])
        let isReplaced = isReplaced(parts, name, number, except: parts | kept[name, default: 0])
        expect(!isReplaced, else: .valueReturned)
        if name == "count" { expect(isOneCount(parts, number), else: .counterMixed) }
    }

    /// Whether a counter's parts are at most one set value and increments of the same counter that this had not seen.
    private func isOneCount(_ parts: Writes, _ item: Int) -> Bool {
        guard parts >> Writes(history.writes.count) == 0 else { return false }
        let members = history.writes.indices.filter { parts & history.bit($0) != 0 }
        let roots = members.filter { history.writes[$0].mutation.set["count"] != nil }
        let isCounted = members.allSatisfy {
            let write = history.writes[$0]
            return write.item == item && (roots.contains($0) || write.mutation.increments["count"] != nil)
        }
        return isCounted && roots.count <= 1 && roots.allSatisfy { history.writes[$0].seen & parts == 0 }
    }
}
