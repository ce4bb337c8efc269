import TandemItems

/// A value that someone typed, and what they had seen when they did.
struct TypedWrite {
    let nonce: Nonce
    let list: ListName
    let item: ItemID
    let set: FieldMap<JSON>
    let increments: FieldMap<Int64>
    /// The writes of the item that its author had seen.
    let seen: Set<Int>
    /// Its author edited an older state than the one that was shown.
    let isStale: Bool
    /// It need not be anywhere: only a copy that was lost had it, or its author gave it up.
    var isExcused = false
    /// A hub has accepted it at some time.
    var isAccepted = false
}

/// What was typed in a schedule, and which writes each state of an item on a hub comes from. Kept by the simulator
/// alone; the product knows only bases and numbers.
struct CausalHistory {
    /// Which writes a state of an item comes from, and at what version each came in.
    typealias Knowledge = [Int: Version]

    /// One state of an item as a hub had it.
    struct StateKey: Hashable {
        let list: ListName
        let bytes: [UInt8]
    }

    /// Who made a write, as origins name it.
    struct Number: Hashable {
        let list: ListName
        let replica: ReplicaID
        let n: Int64
    }

    private(set) var writes: [TypedWrite] = []
    private(set) var byNonce: [Nonce: Int] = [:]
    /// More than one after a store was copied.
    private(set) var byNumber: [Number: Set<Int>] = [:]
    private var states: [StateKey: Knowledge] = [:]
    /// What an item offered anew stands for.
    private(set) var offers: [Nonce: Knowledge] = [:]

    subscript(index: Int) -> TypedWrite {
        get { writes[index] }
        set { writes[index] = newValue }
    }

    mutating func add(_ mutation: Mutation, in list: ListName, seen: Set<Int>, isStale: Bool) {
        byNonce[mutation.nonce] = writes.count
        writes.append(
            TypedWrite(
                nonce: mutation.nonce, list: list, item: mutation.item, set: mutation.set,
                increments: mutation.increments, seen: seen, isStale: isStale))
    }

    mutating func addOffer(_ nonce: Nonce, _ knowledge: Knowledge) { offers[nonce] = knowledge }

    /// A write stands under a number.
    mutating func name(_ index: Int, _ list: ListName, _ replica: ReplicaID, _ n: Int64) {
        byNumber[Number(list: list, replica: replica, n: n), default: []].insert(index)
    }

    func writes(by origin: Origin, in list: ListName) -> Set<Int> {
        byNumber[Number(list: list, replica: origin.replica, n: origin.n)] ?? []
    }

    mutating func note(_ item: Item, in list: ListName, _ knowledge: Knowledge) {
        states[StateKey(list: list, bytes: item.json.encoded())] = knowledge
    }

    func knowledge(of item: Item?, in list: ListName) -> Knowledge? {
        guard let item else { return [:] }
        return states[StateKey(list: list, bytes: item.json.encoded())]
    }

    /// Everything that whoever saw these writes has seen.
    func closure(_ indexes: some Sequence<Int>) -> Set<Int> {
        indexes.reduce(into: []) { $0.formUnion(writes[$1].seen.union([$1])) }
    }
}
