@testable import TandemItems

/// A set of the writes of one schedule, by their numbers: at most 60, so that one word holds them.
typealias Writes = UInt64

/// One mutation, and which ones its author had seen: those of the item up to the version on its screen, its own
/// earlier ones, and whatever those had seen. Kept by the test alone; the merge rule knows only `base` and `n`.
struct Write {
    let mutation: Mutation
    let item: Int
    let seen: Writes
    var version: Version?
}

/// Who saw what, in one schedule.
struct CausalHistory {
    /// Most writes of a schedule. A counter's amounts are distinct powers of two, so their sum names its parts.
    static let capacity = 60

    private(set) var writes: [Write] = []
    private var own: [[Int]]

    init(replicas: Int) { own = Array(repeating: [], count: replicas) }

    var isFull: Bool { writes.count == Self.capacity }

    /// What a counter is changed by, or set to, in the next write.
    var nextAmount: Int64 { 1 << Int64(writes.count) }

    /// Notes a mutation when its author makes it.
    mutating func note(_ mutation: Mutation, by replica: Int, of item: Int) {
        let index = writes.count
        var seen: Writes = 0
        for (earlier, write) in writes.enumerated() where write.item == item {
            let isShown = write.version.map { $0 <= mutation.base } ?? false
            if isShown || own[replica].contains(earlier) { seen |= write.seen | bit(earlier) }
        }
        writes.append(Write(mutation: mutation, item: item, seen: seen))
        own[replica].append(index)
    }

    /// Notes that a hub accepted a write; false where it did so before.
    mutating func accept(_ index: Int, as version: Version) -> Bool {
        defer { writes[index].version = version }
        return writes[index].version == nil
    }

    func index(of mutation: Mutation) -> Int { index(replica: mutation.replica, n: mutation.n) }

    private func index(replica: ReplicaID, n: Int64) -> Int {
        own[Int(replica.text.utf8.first ?? 0) - Int(UInt8(ascii: "A"))][Int(n) - 1]
    }

    func bit(_ index: Int) -> Writes { 1 << Writes(index) }

    /// The writes that a value is made of.
    func parts(of field: FieldName, _ value: JSON, _ origin: Origin) -> Writes {
        if field == "count", let sum = value.int { return Writes(sum) }
        return bit(index(replica: origin.replica, n: origin.n))
    }

    func parts(of field: FieldName, in item: Item?) -> Writes {
        item?.fields[field].map { parts(of: field, $0.value, $0.origin) } ?? 0
    }

    func parts(of conflict: Conflict) -> Writes { parts(of: conflict.field, conflict.value, conflict.origin) }

    /// The writes behind all that would be hidden if the item were deleted.
    func content(of item: Item?) -> Writes {
        var all: Writes = 0
        for (name, field) in item?.fields.entries ?? [] where name != .deleted && !name.isQuiet {
            all |= parts(of: name, field.value, field.origin)
        }
        return all
    }

    /// What the author of a write had seen, the write included.
    func known(to index: Int) -> Writes { writes[index].seen | bit(index) }
}
