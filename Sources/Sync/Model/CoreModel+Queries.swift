package import TandemItems

extension CoreModel {
    /// The items of a list that a query asks for. Throws where there is no such list.
    package func items(in list: ListName, _ query: ItemQuery = ItemQuery()) async throws -> [Item] {
        try await storage.read { store in
            _ = try Self.list(list, in: store)
            guard query.limit ?? 1 > 0 else { return [] }
            guard case .field(let name, let isDescending) = query.order else {
                return try Self.matches(query, query.limit, in: list, store)
            }
            let items = try Self.matches(query, nil, in: list, store)
            let sorted = items.enumerated().sorted { one, other in
                switch one.element[name].compared(to: other.element[name], isDescending: isDescending) {
                case 0: one.offset < other.offset
                case let order: order < 0
                }
            }
            return sorted.prefix(query.limit ?? .max).map(\.element)
        }
    }

    private static func matches(
        _ query: ItemQuery, _ limit: Int?, in list: ListName, _ store: any ReplicaReading
    ) throws -> [Item] {
        var found: [Item] = []
        var place = query.after
        while case let items = try store.items(in: list, after: place, limit: 1_000), let last = items.last {
            for item in items where query.matches(item) {
                found.append(item)
                if found.count == limit { return found }
            }
            place = Place(last)
        }
        return found
    }

    /// An item with all that is known of it here.
    package struct Inspection: Sendable {
        package var list: ReplicaList
        package var item: Item
        /// As the hub has it; `nil` while no hub has accepted it.
        package var confirmed: Item?
        package var pending: [Mutation]
        package var quarantined: [QuarantinedMutation]
        package var names: [ReplicaID: String]
        package var replica: ReplicaID
    }

    /// Finds an item by its id, a unique prefix of it, or a unique suffix of a minted one, deleted ones too, in one list
    /// or in all.
    package func inspect(_ text: String, in list: ListName? = nil) async throws -> Inspection {
        try await storage.read { store in
            let (name, item) = try Self.find(text, in: list, store)
            return Inspection(
                list: try Self.list(name, in: store), item: item,
                confirmed: try store.item(item.id, in: name)?.confirmed,
                pending: try store.pending(of: item.id, in: name),
                quarantined: try store.quarantined().filter { $0.list == name && $0.mutation.item == item.id },
                names: try store.replicaNames(), replica: try store.record().replica)
        }
    }

    /// Fewest bytes of an id's end that stand for it.
    static let shortestSuffix = 4

    /// Finds an item by its whole id, which wins over all else, by a unique prefix, or by a unique suffix of an id that
    /// has the form of a UUID: minted ids share their beginnings. A shown item wins over a deleted one. What fits one
    /// id as a prefix and another as a suffix is ambiguous: an edit must not go to the wrong item.
    static func find(
        _ text: String, in list: ListName?, _ store: any ReplicaReading
    ) throws -> (list: ListName, item: Item) {
        let exact = try whole(text, in: list, store)
        let all = try exact.isEmpty ? candidates(for: text, in: list, store) : exact
        let shown = all.filter { !$0.item.isDeleted }
        let found = shown.isEmpty ? all : shown
        guard let first = found.first else { throw ModelError(.noSuchItem, "there is no item '\(text)'") }
        guard found.count == 1 else {
            let some = found.prefix(3).map { "\($0.item.id) in \($0.list)" }.joined(separator: ", ")
            throw ModelError(.ambiguous, "'\(text)' fits several items: \(some)")
        }
        return first
    }

    private static func candidates(
        for text: String, in list: ListName?, _ store: any ReplicaReading
    ) throws -> [(list: ListName, item: Item)] {
        let found = try beginning(with: text, in: list, store)
        guard text.utf8.count >= shortestSuffix else { return found }
        return found
            + (try store.items(idSuffix: text, limit: 64).filter { entry in
                entry.item.id.isUUID && (list == nil || entry.list == list)
                    && !found.contains { $0.list == entry.list && $0.item.id == entry.item.id }
            })
    }

    private static func whole(
        _ id: String, in list: ListName?, _ store: any ReplicaReading
    ) throws -> [(list: ListName, item: Item)] {
        // A text that is no id names no item.
        guard let id = try? ItemID(id) else { return [] }
        return try store.lists().filter { list == nil || $0.name == list }.compactMap { list in
            try store.item(id, in: list.name).map { (list: list.name, item: $0.shown) }
        }
    }

    /// Enough of the items whose ids begin like this to tell whether there is one: more are read only while other
    /// lists' and deleted ones fill the answer.
    private static func beginning(
        with prefix: String, in list: ListName?, _ store: any ReplicaReading
    ) throws -> [(list: ListName, item: Item)] {
        guard !prefix.isEmpty else { return [] }
        var limit = 64
        while true {
            let all = try store.items(idPrefix: prefix, limit: limit)
            let found = all.filter { list == nil || $0.list == list }
            if all.count < limit || found.count(where: { !$0.item.isDeleted }) > 1 { return found }
            limit *= 8
        }
    }

    /// Items that changed after a stamp, as they are shown now, in the order of their stamps; at most `limit`.
    package func changes(after stamp: Int64, limit: Int) async throws -> [(stamp: Int64, list: ListName, item: Item)] {
        try await storage.read { try $0.changes(after: stamp, limit: limit) }
    }

    package func lastStamp() async throws -> Int64 {
        try await storage.read { try $0.lastStamp() }
    }

    package func replicaNames() async throws -> [ReplicaID: String] {
        try await storage.read { try $0.replicaNames() }
    }
}

extension ItemQuery {
    func matches(_ item: Item) -> Bool {
        if let isCompleted, item.isCompleted != isCompleted { return false }
        return text.map { item.contains($0) } ?? true
    }
}

extension JSON {
    /// Less than, equal to or greater than zero; absent values come last in both directions.
    fileprivate func compared(to other: JSON, isDescending: Bool) -> Int {
        if isNull || other.isNull { return (isNull ? 1 : 0) - (other.isNull ? 1 : 0) }
        let order = rank == other.rank ? comparedWithin(other) : rank - other.rank
        return isDescending ? -order : order
    }

    private var rank: Int {
        switch self {
        case .null: 5
        case .bool: 0
        case .int, .double: 1
        case .string: 2
        case .array: 3
        case .object: 4
        }
    }

    private func comparedWithin(_ other: JSON) -> Int {
        switch (self, other) {
        case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
        case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.string(let a), .string(let b)):
            let (x, y) = (a.lowercased(), b.lowercased())
            return x < y ? -1 : x > y ? 1 : 0
        default:
            let (a, b) = (number, other.number)
            return a < b ? -1 : a > b ? 1 : 0
        }
    }

    private var number: Double {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: 0
        }
    }
}
