@testable import TandemItems

/// A hub in memory: one list of a few items, a ledger, and the oracle that watches.
struct SimulatedHub {
    let rule: MergeRule
    private(set) var items: [Item?]
    private(set) var sequence = Version.none
    private var ledger: [Int: Version] = [:]
    var oracle: MergeOracle

    init(rule: MergeRule, items: Int, replicas: Int) {
        self.rule = rule
        self.items = Array(repeating: nil, count: items)
        oracle = MergeOracle(replicas: replicas)
    }

    func hasAccepted(_ mutation: Mutation) -> Bool { ledger[oracle.history.index(of: mutation)] != nil }

    /// Accepts a mutation once, and answers with the item as it is then.
    mutating func push(_ mutation: Mutation) throws -> Item? {
        let index = oracle.history.index(of: mutation)
        let item = oracle.history.writes[index].item
        if rule.keepsLedger, hasAccepted(mutation) { return items[item] }
        let before = items[item]
        let result = try rule.apply(mutation, before, sequence.next)
        sequence = sequence.next
        ledger[index] = sequence
        items[item] = result.item
        oracle.observe(mutation, from: before, to: result)
        return result.item
    }

    /// The items past a cursor in version order.
    func changes(since cursor: Version, limit: Int) -> [(number: Int, item: Item)] {
        let changed = items.enumerated().compactMap { number, item in item.map { (number: number, item: $0) } }
            .filter { $0.item.version > cursor }
        return Array(changed.sorted { $0.item.version < $1.item.version }.prefix(limit))
    }
}

/// A replica in memory: confirmed items, pending mutations, a cursor and a clock of its own.
struct SimulatedReplica {
    let id: ReplicaID
    let number: Int
    let clockSkew: Int64
    var confirmed: [Item?]
    var pending: [(number: Int, mutation: Mutation)] = []
    var cursor = Version.none
    var lastNumber: Int64 = 0
    var lastPage: [(number: Int, item: Item)] = []

    /// What the replica shows of an item.
    func shown(_ number: Int) -> Item? {
        Item.shown(confirmed[number], with: pending.filter { $0.number == number }.map(\.mutation))
    }

    /// Takes an item from the hub, unless it has a newer one.
    mutating func take(_ item: Item?, _ number: Int, _ rule: MergeRule) {
        guard let item else { return }
        if rule.keepsNewer, let held = confirmed[number], held.version >= item.version { return }
        confirmed[number] = item
    }

    /// Pulls a page and moves the cursor past it.
    mutating func pull(_ hub: SimulatedHub, limit: Int) {
        let page = hub.changes(since: cursor, limit: limit)
        take(page, hub.rule)
        cursor = page.last?.item.version ?? cursor
        lastPage = page.isEmpty ? lastPage : page
    }

    /// Takes a page that is new, or that was under way and comes in late or a second time.
    mutating func take(_ page: [(number: Int, item: Item)], _ rule: MergeRule) {
        for (number, item) in page { take(item, number, rule) }
    }
}
