import HTTP
import Sync
import TandemItems
import Wire

extension DaemonService {
    func items(in list: ListName, _ query: LocalRoute.ItemsQuery) async throws -> Response {
        var lines: [UInt8] = []
        for item in try await model.items(in: list, try await ItemQuery(query, in: list, model)) {
            item.json.encode(into: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        return Response(.ok, jsonLines: lines)
    }

    func edit(_ request: Request, in list: ListName) async throws -> Response {
        let asked = try request.json().members("edits").elements("edits")
        guard asked.count <= Limits().batchMutations else {
            throw Failure(.contentTooLarge, code: "too-large", "at most \(Limits().batchMutations) edits at once")
        }
        let edits = asked.map { json in
            Result { () throws(InvalidItem) in Edit(try EditRequest(json: json)) }
        }
        return try await make(edits, in: list) { EditResult($0, in: list).json }
    }

    /// Makes those of the edits that could be read; the answer has a result for each, at its place.
    func make(
        _ edits: [Result<Edit, InvalidItem>], in list: ListName, describe: (Edited) -> JSON
    ) async throws -> Response {
        let valid = edits.compactMap { edit in try? edit.get() }  // the others are answered below
        var made = try await model.edit(valid, in: list).makeIterator()
        let results: [JSON] = edits.map { edit in
            switch edit {
            case .failure(let error): .object(Failure(error).json)
            case .success:
                switch made.next() {
                case .success(let edited)?: describe(edited)
                case .failure(let error)?: .object(Failure(error).json)
                case nil: preconditionFailure("an edit without a result")
                }
            }
        }
        return Response(.ok, json: ["results": .array(results)])
    }

    func inspect(_ id: String, in list: ListName?) async throws -> ItemReport {
        let found = try await model.inspect(id, in: list)
        return ItemReport(
            list: found.list.name, role: found.list.role?.rawValue, item: found.item, confirmed: found.confirmed,
            pending: found.pending, quarantined: found.quarantined.map(ItemReport.Quarantined.init),
            writers: found.names, replica: found.replica)
    }

    func move(_ request: Request, _ id: String, in list: ListName?) async throws -> Response {
        let body = try request.json().members("a move")
        let destination: Destination
        switch (body["before"]?.string, body["after"]?.string, body["to"]?.string) {
        case (let id?, nil, nil): destination = .before(id)
        case (nil, let id?, nil): destination = .after(id)
        case (nil, nil, "first"): destination = .first
        case (nil, nil, "last"): destination = .last
        default:
            throw Failure(
                .badRequest, code: "malformed", "a move has one of 'before': ID, 'after': ID, 'to': first or last")
        }
        let (list, edited) = try await model.move(id, to: destination, in: list)
        return Response(.ok, json: EditResult(edited, in: list).json)
    }
}

extension ItemQuery {
    /// Takes the page's start by id; an item that is gone meanwhile has its place still.
    fileprivate init(_ query: LocalRoute.ItemsQuery, in list: ListName, _ model: CoreModel) async throws {
        var order = Order.list
        if let sort = query.sort {
            let isDescending = sort.hasPrefix("-")
            order = .field(try FieldName(isDescending ? String(sort.dropFirst()) : sort), isDescending: isDescending)
        }
        var place: Place?
        if let after = query.after { place = Place(try await model.inspect(after.text, in: list).item) }
        self.init(
            text: query.text, isCompleted: query.isCompleted, order: order, limit: query.limit, after: place)
    }
}

extension Edit {
    fileprivate init(_ request: EditRequest) {
        self.init(
            item: request.item, base: request.base, set: request.set, increments: request.increments,
            expectation: request.expectation.map { $0 == .exists ? .exists : .isNew } ?? .nothing)
    }
}

extension EditResult {
    init(_ edited: Edited, in list: ListName) {
        self.init(effect: edited.effect.rawValue, list: list, item: edited.item)
    }
}

extension ItemReport.Quarantined {
    init(_ entry: QuarantinedMutation) {
        self.init(
            id: entry.id.text, list: entry.list, mutation: entry.mutation, refusal: entry.refusal, since: entry.since)
    }
}
