import Platform
package import TandemItems

/// Where an item is moved to in its list. Ids may be cut to unique prefixes.
package enum Destination: Hashable, Sendable {
    case before(String)
    case after(String)
    case first
    case last
}

extension CoreModel {
    /// Moves an item within its list: one write of its order key, whatever else moves at the same time.
    package func move(
        _ id: String, to destination: Destination, in list: ListName? = nil
    ) async throws -> (list: ListName, edited: Edited) {
        let model = self
        let moved = try await storage.write { store in
            let (list, item) = try Self.find(id, in: list, store)
            guard !item.isDeleted else { throw ModelError(.noSuchItem, "the item '\(item.id)' is deleted") }
            var session = try EditSession(model, list, store)
            guard let key = try Self.key(for: item, at: destination, in: list, store, model.random.next()) else {
                return (list: list, edited: Edited(effect: .unchanged, item: item), commits: [Commit]())
            }
            let edit = Edit(item: item.id, set: [.order: .string(key)])
            let edited = try session.make(edit).get()
            return (list: list, edited: edited, commits: try session.finish())
        } committed: { [commits] in
            commits.publish($0.commits)
        }
        return (list: moved.list, edited: moved.edited)
    }

    /// The key of the place; `nil` where the item stands there already.
    private static func key(
        for item: Item, at destination: Destination, in list: ListName, _ store: any ReplicaReading, _ random: UInt64
    ) throws -> String? {
        switch destination {
        case .first:
            let first = try store.items(in: list, after: nil, limit: 1).first
            return first?.id == item.id ? nil : OrderKey.between(nil, first?.orderKey, random: random)
        case .last:
            let last = try lastItem(in: list, store)
            return last?.id == item.id ? nil : OrderKey.between(last?.orderKey, nil, random: random)
        case .before(let id):
            let anchor = try find(id, in: list, store).item
            let neighbour = try store.item(before: Place(anchor), in: list)
            guard anchor.id != item.id, neighbour?.id != item.id else { return nil }
            let low = try distinct(from: anchor, neighbour) { try store.item(before: Place($0), in: list) }
            return OrderKey.between(low?.orderKey, anchor.orderKey, random: random)
        case .after(let id):
            let anchor = try find(id, in: list, store).item
            let neighbour = try store.items(in: list, after: Place(anchor), limit: 1).first
            guard anchor.id != item.id, neighbour?.id != item.id else { return nil }
            let high = try distinct(from: anchor, neighbour) {
                try store.items(in: list, after: Place($0), limit: 1).first
            }
            return OrderKey.between(anchor.orderKey, high?.orderKey, random: random)
        }
    }

    /// The nearest neighbour whose key is another than the anchor's: between equal keys there is no place.
    private static func distinct(
        from anchor: Item, _ neighbour: Item?, _ next: (Item) throws -> Item?
    ) throws -> Item? {
        var neighbour = neighbour
        while let item = neighbour, item.orderKey.utf8.elementsEqual(anchor.orderKey.utf8) {
            neighbour = try next(item)
        }
        return neighbour
    }

    private static func lastItem(in list: ListName, _ store: any ReplicaReading) throws -> Item? {
        let end = Place(orderKey: String(repeating: "\u{10FFFF}", count: 33), id: try ItemID("\u{10FFFF}"))
        return try store.item(before: end, in: list)
    }
}
