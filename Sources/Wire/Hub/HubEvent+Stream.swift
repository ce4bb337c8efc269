package import TandemItems

extension HubEvent {
    /// The event as it stands in the hub's stream: `head` with `{"list", "head"}`; a sign of life is a comment.
    package var bytes: [UInt8] {
        switch self {
        case .heartbeat: return ServerSentEvent.heartbeat
        case .head(let list, let head):
            let data: JSON = ["list": .string(list.text), "head": .int(head.number)]
            return ServerSentEvent(name: "head", data: data.text).bytes
        }
    }

    /// Reads what the stream's parser gives; `nil` for events of other names: a newer hub's, or its greeting.
    package init?(_ element: EventStreamParser.Element) throws(InvalidItem) {
        switch element {
        case .heartbeat: self = .heartbeat
        case .event(let event) where event.name == "head":
            let data = try event.json().members("a head")
            self = .head(try ListName(data.text("list")), try data.version("head"))
        case .event: return nil
        }
    }
}
