import TandemItems
import Wire

/// Merges the changes of one item to one change, and keeps the order of the commits.
///
/// The merged change stands in the report of the item's last commit, so that no report shows an item newer than its
/// stamp; a confirmation alone, which changes no value, leaves the change where it is. Reports that are left without
/// changes are dropped.
struct ChangeCoalescer {
    private struct Key: Hashable {
        let list: ListName
        let item: ItemID
    }

    private struct Place {
        let report: Int
        let change: Int
    }

    private struct Slot {
        let stamp: Int64
        let list: ListName
        let isRemote: Bool
        /// `nil` where the change has moved to a later report.
        var changes: [ChangeReport.Change?] = []

        var report: ChangeReport? {
            let changes = changes.compactMap(\.self)
            return changes.isEmpty
                ? nil : ChangeReport(stamp: stamp, list: list, isRemote: isRemote, changes: changes)
        }
    }

    private var slots: [Slot] = []
    private var places: [Key: Place] = [:]

    /// How many items have changed.
    var count: Int { places.count }

    /// Takes the next commit's report.
    mutating func add(_ report: ChangeReport) {
        slots.append(Slot(stamp: report.stamp, list: report.list, isRemote: report.isRemote))
        for change in report.changes { add(change, Key(list: report.list, item: change.item.id)) }
    }

    /// The merged reports; afterwards there are none.
    mutating func take() -> [ChangeReport] {
        defer { self = ChangeCoalescer() }
        return slots.compactMap(\.report)
    }

    private mutating func add(_ change: ChangeReport.Change, _ key: Key) {
        var merged = change
        if let place = places[key], let earlier = slots[place.report].changes[place.change] {
            merged = earlier.followed(by: change)
            guard change.kind != .confirmed else {
                slots[place.report].changes[place.change] = merged
                return
            }
            slots[place.report].changes[place.change] = nil
        }
        places[key] = Place(report: slots.count - 1, change: slots[slots.count - 1].changes.count)
        slots[slots.count - 1].changes.append(merged)
    }
}

extension ChangeReport.Change {
    /// Both changes of the item as one: the newest item, and what happened to it for someone who saw neither.
    ///
    /// An insertion and a removal stay a removal, not nothing: whoever read the list between the two has the item.
    func followed(by later: ChangeReport.Change) -> ChangeReport.Change {
        var merged = later
        switch (kind, later.kind) {
        case (.inserted, .updated), (.inserted, .confirmed): merged.kind = .inserted
        case (.removed, .confirmed): merged.kind = .removed
        case (.removed, .inserted), (.removed, .updated): (merged.kind, merged.fields) = (.updated, [])
        case (.updated, .inserted), (.updated, .confirmed): merged.kind = .updated
        default: break
        }
        switch (kind, later.kind) {
        case (_, .confirmed): merged.fields = fields
        case (.inserted, .updated), (.inserted, .inserted), (.updated, .updated), (.updated, .inserted):
            merged.fields = Self.union(fields, later.fields)
        default: break
        }
        return merged
    }

    /// Empty, that is not known, where one of them is.
    private static func union(_ one: [FieldName], _ other: [FieldName]) -> [FieldName] {
        guard !one.isEmpty, !other.isEmpty else { return [] }
        return Set(one).union(other).sorted()
    }
}
