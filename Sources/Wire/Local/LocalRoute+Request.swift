package import HTTP
import TandemItems

extension LocalRoute {
    /// The request for this route, without a body.
    package var request: Request { Request(method, path, query: parameters) }

    private var path: [String] {
        if case .health = self { ["healthz"] } else { ["v1"] + versionedPath }
    }

    private var versionedPath: [String] {
        switch self {
        case .status: ["status"]
        case .lists, .addList: ["lists"]
        case .items(let list, _): ["lists", list.text, "items"]
        case .edit(let list): ["lists", list.text, "edits"]
        case .importRecords(let list, _, _): ["lists", list.text, "import"]
        case .export(let list, _): ["lists", list.text, "export"]
        case .inspect(let id, _): ["items", id]
        case .move(let id, _): ["items", id, "move"]
        case .conflicts: ["conflicts"]
        case .resolve(let id): ["conflicts", id, "resolve"]
        case .quarantine: ["quarantine"]
        case .retry(let id): ["quarantine", id, "retry"]
        case .discard(let id): ["quarantine", id, "discard"]
        case .events: ["events"]
        case .sync: ["sync"]
        case .join: ["join"]
        case .leave: ["leave"]
        case .health: []
        }
    }

    private var parameters: [(name: String, value: String)] {
        switch self {
        case .items(_, let query): query.parameters
        case .importRecords(_, let format, let index):
            [(name: "format", value: format), (name: "index", value: String(index))]
        case .export(_, let format): [(name: "format", value: format)]
        case .inspect(_, let list), .move(_, let list), .conflicts(let list):
            list.map { [(name: "list", value: $0.text)] } ?? []
        case .events(let since): since.map { [(name: "since", value: String($0))] } ?? []
        case .sync(let seconds): [(name: "timeout", value: String(seconds))]
        default: []
        }
    }
}

extension LocalRoute.ItemsQuery {
    fileprivate var parameters: [(name: String, value: String)] {
        let all: [(name: String, value: String?)] = [
            (name: "text", value: text), (name: "completed", value: isCompleted.map { String($0) }),
            (name: "sort", value: sort), (name: "limit", value: limit.map { String($0) }),
            (name: "after", value: after?.text),
        ]
        return all.compactMap { parameter in parameter.value.map { (name: parameter.name, value: $0) } }
    }
}
