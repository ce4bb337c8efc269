@testable import TandemItems

/// A hub in one object: the item as it stands, and mutations by two authors who may not have seen each other's.
final class MergeDesk {
    private(set) var item: Item?
    private var sequence = Version.none
    private var numbers: [ReplicaID: Int64] = [:]

    /// Applies a mutation by `replica`, whose author saw the item at `base` and wrote at `time`.
    @discardableResult
    func apply(
        _ replica: ReplicaID, base: Version, at time: Timestamp = 0, set: FieldMap<JSON> = [:],
        inc: FieldMap<Int64> = [:]
    ) throws -> Merge.Result {
        let n = numbers[replica, default: 0] + 1
        let nonce = try Nonce("\(replica)\(n)")
        let mutation = Mutation(
            replica: replica, n: n, nonce: nonce, item: "i", base: base, set: set, increments: inc, at: time)
        let result = try Merge.apply(mutation, to: item, as: sequence.next)
        numbers[replica] = n
        sequence = sequence.next
        item = result.item
        return result
    }

    func value(_ name: FieldName) -> JSON { item?[name] ?? "no item" }
    var conflicts: [Conflict] { item?.conflicts ?? [] }
    /// Field, value and author of each open conflict.
    var open: [String] { conflicts.map { "\($0.field)=\($0.value.text) by \($0.origin.replica)" } }
}
