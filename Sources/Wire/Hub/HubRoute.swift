package import HTTP
package import TandemItems

/// The routes of the hub's API: the hub reads a request into one, a replica makes its request of one.
package enum HubRoute: Hashable, Sendable {
    case hello
    /// `seen` is the furthest place of the hub's history that the mutations' bases come from.
    case push(ListName, seen: Cursor? = nil)
    case changes(ListName, since: Cursor?, limit: Int)
    case events
    case history(ListName, ItemID)
    case digest(ListName)
    case health
    case metrics

    /// Most items of one page, and how many come where the request does not say.
    package static let pageLimits = 1...10_000
    package static let defaultPageLimit = 1_000

    /// Reads a request. Throws a ``Failure``: 404 for an unknown address, 405 for a wrong method, 426 for another
    /// version of the API, 400 for parameters that break their rule.
    package init(_ request: Request) throws(Failure) {
        let path = request.path
        if let version = path.first, version.hasPrefix("v"), version != "v1", Int(version.dropFirst()) != nil {
            throw Failure(.upgradeRequired, code: "upgrade-required", "this hub speaks /v1, not /\(version)")
        }
        switch (path.count, path.first, path.dropFirst().first) {
        case (1, "healthz", _): self = .health
        case (1, "metrics", _): self = .metrics
        case (2, "v1", "hello"): self = .hello
        case (2, "v1", "events"): self = .events
        case (4..., "v1", "lists"): self = try Self.inList(request)
        default: throw .unknownRoute
        }
        try request.check(method)
    }

    private static func inList(_ request: Request) throws(Failure) -> HubRoute {
        let path = request.path
        let list = try Failure.refusing { () throws(InvalidItem) in try ListName(path[2]) }
        switch (path.count, path[3]) {
        case (4, "push"): return .push(list, seen: try cursor(request, "seen"))
        case (4, "digest"): return .digest(list)
        case (6, "items") where path[5] == "history":
            return .history(list, try Failure.refusing { () throws(InvalidItem) in try ItemID(path[4]) })
        case (4, "changes"):
            return .changes(
                list, since: try cursor(request, "since"),
                limit: try request.number("limit", default: defaultPageLimit, in: pageLimits))
        default: throw .unknownRoute
        }
    }

    private static func cursor(_ request: Request, _ name: String) throws(Failure) -> Cursor? {
        guard let text = request.parameter(name) else { return nil }
        guard let cursor = Cursor(text) else {
            throw Failure(.badRequest, code: "malformed", "'\(name)' is no cursor: epoch.sequence.digest")
        }
        return cursor
    }

    package var method: Method {
        if case .push = self { .post } else { .get }
    }

    /// The request for this route, without a body.
    package var request: Request {
        switch self {
        case .hello: Request(.get, ["v1", "hello"])
        case .events: Request(.get, ["v1", "events"])
        case .health: Request(.get, ["healthz"])
        case .metrics: Request(.get, ["metrics"])
        case .push(let list, let seen):
            Request(
                .post, ["v1", "lists", list.text, "push"],
                query: seen.map { [(name: "seen", value: $0.description)] } ?? [])
        case .digest(let list): Request(.get, ["v1", "lists", list.text, "digest"])
        case .history(let list, let item): Request(.get, ["v1", "lists", list.text, "items", item.text, "history"])
        case .changes(let list, let cursor, let limit):
            Request(
                .get, ["v1", "lists", list.text, "changes"],
                query: (cursor.map { [(name: "since", value: $0.description)] } ?? [])
                    + [(name: "limit", value: String(limit))])
        }
    }
}
