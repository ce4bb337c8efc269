import HTTP
import TandemClient
import Testing
import Wire

/// The article's example, as it stands there.
@MainActor
private final class Board {
    private let daemon: DaemonConnection
    private var isStale = true
    private(set) var titles: [ItemID: String] = [:]

    init(_ daemon: DaemonConnection) { self.daemon = daemon }

    func add(_ title: String) async throws {
        let edit = EditRequest(set: [.title: .string(title), .isCompleted: false])
        let result = try await daemon.edit(edit, in: .todo)
        print(result.effect, result.item.id)
    }

    /// Follows the list until its task is cancelled.
    func follow() async {
        for await batch in ChangeSubscription.batches(from: daemon, list: .todo) {
            if let problem = batch.problem { print(problem) }
            isStale = isStale || batch.needsReload
            do {
                if isStale, batch.isConnected { try await read() }
            } catch {
                print(error)
            }
            for change in batch.reports.flatMap(\.changes) { show(change.item) }
        }
    }

    private func read() async throws {
        let items = try await daemon.items(in: .todo)
        (titles, isStale) = ([:], false)
        for item in items { show(item) }
    }

    private func show(_ item: Item) {
        titles[item.id] = item.isDeleted ? nil : item[.title].string
    }
}

/// A daemon that holds one list and tells of its changes.
private struct ListDaemon: Handler {
    let events = EventDaemon()
    let list = PagedItems([])

    func respond(to request: Request) async -> Response {
        do throws(Failure) {
            switch try LocalRoute(request) {
            case .edit: return try add(request)
            case .items: return await list.respond(to: request)
            default: return await events.respond(to: request)
            }
        } catch {
            return Response(error)
        }
    }

    private func add(_ request: Request) throws(Failure) -> Response {
        let json = try request.json()
        return try Failure.refusing { () throws(InvalidItem) in
            var item = Item(id: try ItemID("item-\(list.items.value.count)"))
            let origin = Origin(
                version: .none, replica: try ReplicaID("r"), n: 1, at: Timestamp(milliseconds: 1))
            for edit in try json.members("edits").elements("edits") {
                for entry in try EditRequest(json: edit).set.entries {
                    item.fields[entry.name] = Field(entry.value, origin)
                }
            }
            list.items.update { $0.append(item) }
            events.commit(.inserted, item)
            return Response(
                .ok, json: ["results": [["effect": "created", "list": "todo", "item": item.json]]])
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ChangeSubscriptionExampleTests {
    @Test func boardShowsWhatWasThereAndWhatIsAdded() async throws {
        let daemon = ListDaemon()
        daemon.list.items.update { [item = try makeItem("old", title: "old")] in $0 = [item] }
        let board = Board(DaemonConnection(transport: HandlerTransport(daemon)))
        let follower = Task { await board.follow() }
        await daemon.events.streams.wait { $0.count == 1 }
        try await board.add("new")
        while board.titles.count < 2 { await Task.yield() }
        #expect(board.titles.values.sorted() == ["new", "old"])
        follower.cancel()
        await follower.value
        await daemon.events.streams.wait { $0.isEmpty }
    }
}
