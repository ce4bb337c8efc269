import HTTP
import TandemItems
import Testing
import Wire

@Suite("LocalRoute")
struct LocalRouteTests {
    private static let work = LocalRoute.ItemsQuery(text: "a b", isCompleted: false, sort: "-due", limit: 3)

    @Test(
        arguments: [
            .status, .lists, .addList, .items(.todo, work), .edit(.todo),
            .importRecords(.todo, format: "taskwarrior", index: 7), .export(.todo, format: "jsonlines"),
            .inspect("a/b", nil), .inspect("a", .todo), .move("a", .todo), .conflicts(nil), .conflicts(.todo),
            .resolve("c"), .quarantine, .retry("q"), .discard("q"), .events(since: nil), .events(since: 4),
            .sync(timeoutSeconds: 9), .join, .leave, .health,
        ] as [LocalRoute])
    func theRequestOfARouteIsReadAsThatRoute(route: LocalRoute) throws {
        #expect(try LocalRoute(route.request) == route)
    }

    @Test func anotherMethodIsRefused() throws {
        var request = LocalRoute.leave.request
        request.method = .get
        let failure = #expect(throws: Failure.self) { try LocalRoute(request) }
        #expect(failure?.status == 405)
        request = LocalRoute.status.request
        request.method = .head
        #expect(try LocalRoute(request) == .status)
    }
}
