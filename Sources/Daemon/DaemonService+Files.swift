import Formats
import HTTP
import Platform
import Sync
import TandemItems
import Wire

extension DaemonService {
    /// Takes records of a file, one a line. Each goes in by itself or is refused by itself.
    ///
    /// A record says what its file says, not what its author saw here: where someone else has changed the item since,
    /// both values are kept as a conflict. A record that is here already, value for value, changes nothing. New items
    /// whose ids do not tell an order stand in the order of the file.
    func importRecords(
        _ request: Request, _ format: String, _ index: Int, into list: ListName
    ) async throws -> Response {
        let format = try itemFormat(format)
        let now = Timestamp(milliseconds: time.now)
        let edits = JSONLines(request.body).enumerated().map { place, line in
            Result { () throws(InvalidItem) in
                try Edit(line, format, orderIfNew: OrderKey.appended(at: now, index: index + place))
            }
        }
        return try await make(edits, in: list) { edited in
            ["effect": .string(edited.effect.rawValue), "id": .string(edited.item.id.text)]
        }
    }

    /// Gives a list as a file, as it is read: items that change meanwhile are there in the one state or the other.
    func export(_ list: ListName, _ format: String) async throws -> Response {
        let format = try itemFormat(format)
        guard let counts = try await model.lists().first(where: { $0.list.name == list })?.counts else {
            throw ModelError(.noSuchList, "there is no list '\(list)'")
        }
        let file = ExportedFile(model, list, format)
        let type = format == .jsonlines ? MediaType.jsonLines : MediaType.json
        return Response(
            .ok, headers: ["Content-Type": type, LocalHeader.count: String(counts.items)],
            body: .stream(ByteStream { try await file.next() }))
    }

    private func itemFormat(_ name: String) throws(Failure) -> ItemFormat {
        guard let format = ItemFormat(rawValue: name) else {
            let known = ItemFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.badRequest, code: "unknown-format", "there is no format '\(name)'", hint: "known: \(known)")
        }
        return format
    }
}

extension Edit {
    fileprivate init(_ line: [UInt8], _ format: ItemFormat, orderIfNew order: String) throws(InvalidItem) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: line)
        } catch {
            throw InvalidItem(.shape, "the record is not JSON: \(error)")
        }
        let record = try format.fields(of: try json.members("a record"))
        self.init(item: record.id, base: Version.none, set: record.set, orderIfNew: record.id == nil ? nil : order)
    }
}

/// Produces an exported file page by page, each when it is asked for.
private actor ExportedFile {
    private let model: CoreModel
    private let list: ListName
    private let format: ItemFormat
    private var writer: RecordWriter?
    private var place: Place?

    init(_ model: CoreModel, _ list: ListName, _ format: ItemFormat) {
        self.model = model
        self.list = list
        self.format = format
        writer = RecordWriter(format)
    }

    func next() async throws -> [UInt8]? {
        guard var writer else { return nil }
        let items = try await model.items(in: list, ItemQuery(limit: 500, after: place))
        guard let last = items.last else {
            self.writer = nil
            return writer.end()
        }
        place = Place(last)
        let bytes = items.reduce(into: [UInt8]()) { bytes, item in
            if let record = format.record(of: item) { bytes += writer.bytes(of: record) }
        }
        self.writer = writer
        // An empty chunk would end the stream; a page may hold nothing that the format shows.
        return bytes.isEmpty ? try await next() : bytes
    }
}
