package import HTTP
package import TandemItems

/// The routes of the daemon's local API: the daemon reads a request into one, a client makes its request of one.
package enum LocalRoute: Hashable, Sendable {
    case status
    case lists
    case addList
    case items(ListName, ItemsQuery)
    case edit(ListName)
    /// The body is a record a line, in this format; `index` is the number of the first one in its file.
    case importRecords(ListName, format: String, index: Int)
    case export(ListName, format: String)
    /// An id or a unique prefix of one, in one list or in all.
    case inspect(String, ListName?)
    case move(String, ListName?)
    case conflicts(ListName?)
    case resolve(String)
    case quarantine
    case retry(String)
    case discard(String)
    /// Changes as they are committed, those after a stamp first.
    case events(since: Int64?)
    case sync(timeoutSeconds: Int)
    case join
    case leave
    case health

    /// What of a list is asked for.
    package struct ItemsQuery: Hashable, Sendable {
        package var text: String?
        package var isCompleted: Bool?
        /// A field's name, with `-` before it for the descending order.
        package var sort: String?
        package var limit: Int?
        /// The id of the item behind which the page starts.
        package var after: ItemID?

        package init(
            text: String? = nil, isCompleted: Bool? = nil, sort: String? = nil, limit: Int? = nil,
            after: ItemID? = nil
        ) {
            self.text = text
            self.isCompleted = isCompleted
            self.sort = sort
            self.limit = limit
            self.after = after
        }
    }

    /// Places of an import's first record in its file: further ones are counted on from it.
    package static let importIndexes = 0...(1 << 40)

    /// Longest wait for a sync that a request may ask for.
    package static let syncSeconds = 0...86_400

    /// Reads a request. Throws a ``Failure``: 404 for an unknown address, 405 for a wrong method, 400 for parameters
    /// that break their rule.
    package init(_ request: Request) throws(Failure) {
        self = try Self.read(request)
        try request.check(method)
    }

    package var method: Method {
        switch self {
        case .addList, .edit, .importRecords, .move, .resolve, .retry, .discard, .sync, .join, .leave: .post
        case .status, .lists, .items, .export, .inspect, .conflicts, .quarantine, .events, .health: .get
        }
    }

    private static func read(_ request: Request) throws(Failure) -> LocalRoute {
        let path = request.path
        if path == ["healthz"] { return .health }
        guard path.first == "v1" else { throw .unknownRoute }
        switch (path.count, path.dropFirst().first) {
        case (2, "status"): return .status
        case (2, "lists"): return request.method == .post ? .addList : .lists
        case (4, "lists"): return try readInList(request)
        case (3, "items"): return .inspect(path[2], try list(request))
        case (4, "items") where path[3] == "move": return .move(path[2], try list(request))
        case (2, "conflicts"): return .conflicts(try list(request))
        case (4, "conflicts") where path[3] == "resolve": return .resolve(path[2])
        case (2, "quarantine"): return .quarantine
        case (4, "quarantine") where path[3] == "retry": return .retry(path[2])
        case (4, "quarantine") where path[3] == "discard": return .discard(path[2])
        case (2, "events"): return .events(since: try stamp(request))
        case (2, "sync"):
            return .sync(timeoutSeconds: try request.number("timeout", default: 60, in: syncSeconds))
        case (2, "join"): return .join
        case (2, "leave"): return .leave
        default: throw .unknownRoute
        }
    }

    private static func readInList(_ request: Request) throws(Failure) -> LocalRoute {
        let list = try Failure.refusing { () throws(InvalidItem) in try ListName(request.path[2]) }
        let format = request.parameter("format") ?? "jsonlines"
        switch request.path[3] {
        case "items": return .items(list, try query(request))
        case "edits": return .edit(list)
        case "import":
            return .importRecords(
                list, format: format, index: try request.number("index", default: 0, in: importIndexes))
        case "export": return .export(list, format: format)
        default: throw .unknownRoute
        }
    }

    private static func list(_ request: Request) throws(Failure) -> ListName? {
        guard let name = request.parameter("list") else { return nil }
        return try Failure.refusing { () throws(InvalidItem) in try ListName(name) }
    }

    private static func stamp(_ request: Request) throws(Failure) -> Int64? {
        guard let text = request.parameter("since") ?? request.headers["Last-Event-ID"] else { return nil }
        guard let stamp = Int64(text), stamp >= 0 else {
            throw Failure(.badRequest, code: "malformed", "'since' is a stamp that an earlier event had as its id")
        }
        return stamp
    }

    private static func query(_ request: Request) throws(Failure) -> ItemsQuery {
        var query = ItemsQuery(text: request.parameter("text"), sort: request.parameter("sort"))
        switch request.parameter("completed") {
        case nil: break
        case "true": query.isCompleted = true
        case "false": query.isCompleted = false
        default: throw Failure(.badRequest, code: "malformed", "'completed' is true or false")
        }
        if request.parameter("limit") != nil {
            query.limit = try request.number("limit", default: 0, in: 0...1_000_000)
        }
        if let after = request.parameter("after") {
            query.after = try Failure.refusing { () throws(InvalidItem) in try ItemID(after) }
        }
        return query
    }
}
