package import TandemItems

/// What the daemon's event stream tells.
package enum LocalEvent: Hashable, Sendable {
    /// The stream has begun; every change after this stamp follows.
    case hello(stamp: Int64)
    case changes(ChangeReport)
    /// The client was too slow, or its stamp is of another store: read the lists anew; changes after this stamp follow.
    case reload(stamp: Int64)
    /// The state of the sync or the set of lists may have changed.
    case status

    package var event: ServerSentEvent {
        switch self {
        case .hello(let stamp): Self.at("hello", stamp)
        case .reload(let stamp): Self.at("reload", stamp)
        case .status: ServerSentEvent(name: "status", data: "{}")
        case .changes(let report):
            ServerSentEvent(name: "changes", data: report.json.text, id: String(report.stamp))
        }
    }

    /// Reads an event; `nil` for one that this version does not know.
    package init?(_ event: ServerSentEvent) throws(InvalidItem) {
        let json = try event.json()
        switch event.name {
        case "hello": self = .hello(stamp: try json.members("hello").integer("stamp"))
        case "reload": self = .reload(stamp: try json.members("reload").integer("stamp"))
        case "status": self = .status
        case "changes": self = .changes(try ChangeReport(json: json))
        default: return nil
        }
    }

    private static func at(_ name: String, _ stamp: Int64) -> ServerSentEvent {
        ServerSentEvent(name: name, data: JSON.object(["stamp": .int(stamp)]).text, id: String(stamp))
    }
}
