@testable import TandemItems

/// What a simulated hub and its replicas go by: the product's rules, or rules broken on purpose.
struct MergeRule: Sendable {
    /// What a mutation makes of an item.
    var apply: @Sendable (Mutation, Item?, Version) throws(InvalidItem) -> Merge.Result = Merge.apply
    /// Whether the hub answers a repeated mutation from its ledger.
    var keepsLedger = true
    /// Whether a replica keeps what it has when an older version of an item comes in.
    var keepsNewer = true

    static let product = MergeRule()
}

/// Faults that a merge could have. Each must be caught by the oracle, or the oracle proves nothing.
enum BrokenRule: String, CaseIterable, Sendable {
    case everythingCountsAsSeen, nothingCountsAsSeen, loserIsDropped, deleteAlwaysWins, editStaysHidden
    case unseenConflictIsClosed, blendIsForgotten, blendIsOverstated, incrementReplaces, laterClockBeatsWriteThatSaw
    case ledgerIsIgnored, olderVersionIsApplied

    var rule: MergeRule {
        switch self {
        case .everythingCountsAsSeen: MergeRule(apply: Self.withBase(Version(.max)))
        case .nothingCountsAsSeen: MergeRule(apply: Self.withBase(.none))
        case .loserIsDropped: MergeRule(apply: Self.droppingLosers)
        case .deleteAlwaysWins: MergeRule(apply: Self.deletingAlways)
        case .editStaysHidden: MergeRule(apply: Self.leavingDeleted)
        case .unseenConflictIsClosed: MergeRule(apply: Self.closingAll)
        case .blendIsForgotten: MergeRule(apply: Self.blending { _ in .none })
        case .blendIsOverstated: MergeRule(apply: Self.blending { $0.isBlended ? $0.version : .none })
        case .incrementReplaces: MergeRule(apply: Self.replacingCounters)
        case .laterClockBeatsWriteThatSaw: MergeRule(apply: Self.goingByClocks)
        case .ledgerIsIgnored: MergeRule(keepsLedger: false)
        case .olderVersionIsApplied: MergeRule(keepsNewer: false)
        }
    }

    private typealias Apply = @Sendable (Mutation, Item?, Version) throws(InvalidItem) -> Merge.Result

    private static func withBase(_ base: Version) -> Apply {
        { mutation, item, sequence throws(InvalidItem) in
            var mutation = mutation
            mutation.base = base
            return try Merge.apply(mutation, to: item, as: sequence)
        }
    }

    private static let droppingLosers: Apply = { mutation, item, sequence throws(InvalidItem) in
        var result = try Merge.apply(mutation, to: item, as: sequence)
        result.item.conflicts.removeAll { $0.opened == sequence }
        result.opened = []
        return result
    }

    private static let deletingAlways: Apply = { mutation, item, sequence throws(InvalidItem) in
        let isDelete = mutation.set[.deleted] == true
        return try (isDelete ? withBase(Version(.max)) : Merge.apply)(mutation, item, sequence)
    }

    private static let leavingDeleted: Apply = { mutation, item, sequence throws(InvalidItem) in
        var result = try Merge.apply(mutation, to: item, as: sequence)
        guard let item, item.isDeleted, mutation.set[.deleted] == nil else { return result }
        result.item.fields[.deleted] = item.fields[.deleted]
        result.item.conflicts.removeAll { $0.opened == sequence && $0.field == .deleted }
        result.opened.removeAll { $0.field == .deleted }
        return result
    }

    private static let closingAll: Apply = { mutation, item, sequence throws(InvalidItem) in
        var result = try Merge.apply(mutation, to: item, as: sequence)
        let isOld = { (conflict: Conflict) in conflict.opened < sequence && mutation.set[conflict.field] != nil }
        result.closed += result.item.conflicts.filter(isOld)
        result.item.conflicts.removeAll(where: isOld)
        return result
    }

    private static func blending(_ blend: @escaping @Sendable (Origin) -> Version) -> Apply {
        { mutation, item, sequence throws(InvalidItem) in
            var result = try Merge.apply(mutation, to: item, as: sequence)
            for name in mutation.increments.names {
                if let origin = result.item.fields[name]?.origin {
                    result.item.fields[name]?.origin.blend = blend(origin)
                }
            }
            return result
        }
    }

    private static let replacingCounters: Apply = { mutation, item, sequence throws(InvalidItem) in
        var mutation = mutation
        for (name, amount) in mutation.increments.entries {
            let seen = item?.fields[name].flatMap { $0.origin.version <= mutation.base ? $0.value.int : nil }
            mutation.set[name] = .int((seen ?? 0) + amount)
        }
        mutation.base = Version(.max)
        mutation.increments = [:]
        return try Merge.apply(mutation, to: item, as: sequence)
    }

    /// The last writer by the clock wins, whatever its author saw.
    private static let goingByClocks: Apply = { mutation, item, sequence throws(InvalidItem) in
        var late = mutation
        for (name, field) in item?.fields.entries ?? [] where field.origin.at > mutation.at { late.set[name] = nil }
        var result = try Merge.apply(late, to: item, as: sequence)
        result.item.version = sequence
        return result
    }
}
