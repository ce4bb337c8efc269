package import Hub
package import TandemItems

/// All that a hub's store holds.
package struct MemoryHubState: Sendable {
    package var epoch: Epoch
    package var lists: [ListName: MemoryList] = [:]
    /// By the bytes of their names.
    package var tokens: [[UInt8]: TokenRecord] = [:]
    package var replicaNames: [ReplicaID: String] = [:]

    package init(epoch: Epoch) { self.epoch = epoch }
}

/// A list with all that belongs to it.
package struct MemoryList: Sendable {
    /// One accepted mutation.
    package struct Entry: Sendable {
        package var entry: HistoryEntry
        /// The prefix digest at it.
        package var digest: String
    }

    /// A replica's number.
    package struct Number: Hashable, Sendable {
        package var replica: ReplicaID
        package var n: Int64
    }

    package var list: HubList
    /// The digest at sequence 0.
    package let start: String
    package private(set) var items: [ItemID: (item: Item, encoded: EncodedItem)] = [:]
    /// Which item has a version.
    private var places: [Version: ItemID] = [:]
    /// The entry of sequence 1 is the first.
    package var history: [Entry] = []
    package var ledger: [Number: LedgerEntry] = [:]

    init(_ list: HubList) {
        self.list = list
        start = list.digest
    }

    /// Puts an item in place of the one with its id; `nil` takes that one away.
    mutating func store(_ item: Item?, as id: ItemID) {
        if let old = items[id] { places[old.encoded.version] = nil }
        guard let item else { return items[id] = nil }
        items[id] = (item, EncodedItem(version: item.version, json: item.json.encoded()))
        places[item.version] = id
    }

    /// Items with `after < version <= through`, in the order of their versions. Its cost grows with the range, not with
    /// the list.
    func items(after: Version, through: Version) -> [(item: Item, encoded: EncodedItem)] {
        let first = max(after, .none).next
        let last = min(through, list.head)
        guard first <= last else { return [] }
        return (first.number...last.number).compactMap { places[Version($0)].flatMap { items[$0] } }
    }
}

extension Item {
    /// Whether a replica without this item has to learn of it: it is there, or someone has to settle a conflict on it.
    package var isLive: Bool { !isDeleted || !conflicts.isEmpty }
}
