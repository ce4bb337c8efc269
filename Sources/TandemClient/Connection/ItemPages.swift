import HTTP
import TandemItems
import Wire

/// Reads a list in its own order, page by page.
///
/// Pages begin small and grow to ``pageBytes``, so that a page of items of any size stays far below what a transport
/// takes. Where one is too large all the same, it is asked for again with fewer items.
struct ItemPages {
    /// The size that pages grow to.
    static let pageBytes = 4 << 20
    /// Items of the first page.
    static let firstPage = 256
    /// Items of a page at most.
    static let largestPage = 16_384
    /// How often the list is read from its start because the item at the end of a page was gone.
    static let maximumRestarts = 3

    private let connection: DaemonConnection
    private let list: ListName
    private let query: ItemsQuery
    private(set) var items: [Item] = []
    /// Where each item stands in `items`: one that was moved while the list was read may come twice.
    private var places: [ItemID: Int] = [:]
    private var after: ItemID?
    private var size = firstPage
    private var restarts = 0

    init(_ connection: DaemonConnection, _ list: ListName, _ query: ItemsQuery) {
        self.connection = connection
        self.list = list
        self.query = query
        after = query.after
    }

    /// Reads a page. `false`: it was the last.
    mutating func readNext() async throws(DaemonError) -> Bool {
        let left = query.limit.map { $0 - items.count } ?? .max
        guard left > 0 else { return false }
        let asked = min(size, left)
        let page: (items: [Item], bytes: Int)
        do throws(DaemonError) {
            page = try await read(limit: asked)
        } catch {
            try recover(from: error, asked)
            return true
        }
        page.items.forEach { add($0) }
        adapt(to: page)
        guard page.items.count >= asked, let last = page.items.last else { return false }
        try advance(behind: last.id)
        return true
    }

    private func read(limit: Int) async throws(DaemonError) -> (items: [Item], bytes: Int) {
        let route = LocalRoute.items(list, query.route(limit: limit, after: after))
        let response = try await connection.send(route.request, over: connection.transport)
        var items: [Item] = []
        for line in JSONLines(response.bytes) { items.append(try connection.readItem(line)) }
        return (items, response.bytes.count)
    }

    /// A daemon that does not know `after` would answer the same page for ever.
    private mutating func advance(behind last: ItemID) throws(DaemonError) {
        guard last != after else {
            throw DaemonError(unreadable: "the page behind an item ends with it", at: connection.address)
        }
        after = last
    }

    /// Prepares the next try, or throws what stays wrong.
    private mutating func recover(from error: DaemonError, _ asked: Int) throws(DaemonError) {
        switch error.code {
        case DaemonError.answerTooLarge where asked > 1:
            size = max(1, asked / 8)
        case "no-such-item" where after != query.after && restarts < Self.maximumRestarts:
            restarts += 1
            (items, places, after) = ([], [:], query.after)
        default: throw error
        }
    }

    /// What comes later is newer, and stands where the later page has it.
    private mutating func add(_ item: Item) {
        if let place = places[item.id] {
            items.remove(at: place)
            for index in place..<items.count { places[items[index].id] = index }
        }
        places[item.id] = items.count
        items.append(item)
    }

    /// At most twice as many items as before, so that one page of small items makes no huge one.
    private mutating func adapt(to page: (items: [Item], bytes: Int)) {
        guard !page.items.isEmpty else { return }
        let fitting = Self.pageBytes / max(1, page.bytes / page.items.count)
        size = max(1, min(fitting, size * 2, Self.largestPage))
    }
}
