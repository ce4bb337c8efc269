import HTTP
public import TandemItems
public import Wire

extension DaemonConnection {
    /// Where an item is moved to in its list.
    public enum Destination: Hashable, Sendable {
        /// Right before the item of this id, which may be a unique prefix.
        case before(String)
        /// Right behind the item of this id, which may be a unique prefix.
        case after(String)
        /// To the start of the list.
        case first
        /// To the end of the list.
        case last

        fileprivate var json: JSON {
            switch self {
            case .before(let id): ["before": .string(id)]
            case .after(let id): ["after": .string(id)]
            case .first: ["to": "first"]
            case .last: ["to": "last"]
            }
        }
    }

    /// The items of a list that a query asks for.
    ///
    /// In the list's own order they are read page by page, so that neither end holds a large answer; the pages are no
    /// snapshot. Who must not miss a change that is made meanwhile subscribes first and reads then.
    @concurrent
    public func items(
        in list: ListName, _ query: ItemsQuery = ItemsQuery()
    ) async throws(DaemonError) -> [Item] {
        if query.sort != nil { return try await sortedItems(in: list, query) }
        var pages = ItemPages(self, list, query)
        while try await pages.readNext() {}
        return pages.items
    }

    /// An item with all that is known of it on this machine.
    ///
    /// - Parameters:
    ///   - id: an id or a unique prefix of one.
    ///   - list: all lists where it is `nil`.
    public func inspect(_ id: String, in list: ListName? = nil) async throws(DaemonError) -> ItemReport {
        try Self.checkID(id, "item")
        return try await ask(.inspect(id, list), read: ItemReport.init(json:))
    }

    /// Moves an item in its list; ids may be unique prefixes.
    public func move(
        _ id: String, to destination: Destination, in list: ListName? = nil
    ) async throws(DaemonError) -> EditResult {
        try Self.checkID(id, "item")
        return try await ask(.move(id, list), destination.json, read: EditResult.init(json:))
    }

    /// An empty id would make another address.
    static func checkID(_ id: String, _ what: String) throws(DaemonError) {
        guard id.isEmpty else { return }
        throw DaemonError(code: "no-such-\(what)", "an empty id names no \(what)")
    }

    /// A sorted answer has no pages: it is read as it comes, in one piece.
    private func sortedItems(in list: ListName, _ query: ItemsQuery) async throws(DaemonError) -> [Item] {
        let route = LocalRoute.items(list, query.route(limit: query.limit, after: query.after))
        let body = try await open(route).bytes
        var lines = LineReader()
        var items: [Item] = []
        do {
            for try await chunk in body { items += try lines.take(chunk).map(readItem) }
            if let last = lines.end() { items.append(try readItem(last)) }
        } catch let error as DaemonError {
            throw error
        } catch {
            throw DaemonError(error as? TransportError ?? TransportError(.interrupted, "\(error)"), at: address)
        }
        return items
    }

    func readItem(_ line: [UInt8]) throws(DaemonError) -> Item {
        try read(line, Item.init(json:))
    }
}
