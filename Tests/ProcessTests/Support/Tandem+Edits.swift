import Curl
import HTTP
import TandemClient
import TandemItems
import TestSupport
import Testing
import Wire

// Words for tests that change lists and look at what came of it.
extension Tandem {
    /// Adds an item by the daemon's API.
    @discardableResult
    func add(
        _ title: String, on name: String, id: ItemID? = nil, _ more: FieldMap<JSON> = [:], in list: ListName = .todo
    ) async throws -> ItemID {
        var edit = EditRequest(item: id, set: more, expectation: .isNew)
        edit.set[.title] = .string(title)
        return try await client(name).edit(edit, in: list).item.id
    }

    /// Changes an item by the daemon's API.
    func set(_ id: ItemID, _ values: FieldMap<JSON>, on name: String, in list: ListName = .todo) async throws {
        _ = try await client(name).edit(EditRequest(item: id, set: values), in: list)
    }

    func delete(_ id: ItemID, on name: String) async throws { try await set(id, [.deleted: true], on: name) }

    /// Adds items of these titles in one request each, and gives their ids.
    @discardableResult
    func add(_ titles: [String], on name: String) async throws -> [ItemID] {
        var ids: [ItemID] = []
        for title in titles { ids.append(try await add(title, on: name)) }
        return ids
    }

    /// Cuts the network and returns once these daemons have noticed.
    func cut(_ names: String...) async throws {
        proxy.become(.cut)
        for name in names { try await reach("offline", name) }
    }

    /// Makes the network good again.
    func heal() { proxy.become(.fair) }

    /// Everything that happened to an item, as the hub has it; asked for without the proxy.
    func history(of id: ItemID, in list: ListName = .todo) async throws -> [HistoryEntry] {
        let added = try await hubCommand(
            "token", "add", "reader-\(programs.count)", "--role", "reader", "--list", list.text)
        let link = try JoinLink(String(added.text.split(whereSeparator: \.isNewline).last ?? ""))
        var request = HubRoute.history(list, id).request
        request.headers = ["Authorization": "Bearer \(link.token)"]
        let response = try await CurlTransport(endpoint: Endpoint(base: link.address)).send(request)
        #expect(response.status == .ok)
        let entries = try JSON(parsing: response.bytes).members("a history").elements("entries")
        return try entries.map { try HistoryEntry(json: $0) }
    }
}

extension [Item] {
    /// The titles, in order.
    var titles: [String] { map { $0[.title].string ?? "" } }

    /// The open conflicts of all of them.
    var conflicts: [Conflict] { flatMap(\.conflicts) }
}

extension FieldName {
    static let client = named("client")
    static let count = named("count")
    static let estimate = named("estimate")
    static let from = named("from")
    static let note = named("note")
    static let round = named("round")
    static let shopTag = named("tags/shop")

    private static func named(_ text: String) -> FieldName {
        do throws(InvalidItem) {
            return try FieldName(text)
        } catch {
            preconditionFailure(error.message)
        }
    }
}
