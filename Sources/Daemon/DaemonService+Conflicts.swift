import HTTP
import Sync
import TandemItems
import Wire

extension DaemonService {
    func conflicts(in list: ListName?) async throws -> Response {
        let names = try await model.replicaNames()
        let reports = try await model.conflicts(in: list).flatMap { list, item in
            item.conflicts.map { ConflictReport(list: list, item: item, conflict: $0, writers: names) }
        }
        return Response(.ok, json: ["conflicts": .array(reports.map(\.json))])
    }

    func resolve(_ request: Request, _ id: String) async throws -> Response {
        let body = try request.json().members("a resolution")
        let resolution: Resolution
        switch (body["take"]?.string, body["value"]) {
        case ("shown", nil): resolution = .shown
        case ("other", nil): resolution = .other
        case (nil, let value?): resolution = .value(value)
        default:
            throw Failure(
                .badRequest, code: "malformed", "a resolution has one of 'take': shown or other, 'value': any JSON")
        }
        let (list, edited) = try await model.resolve(id, resolution)
        return Response(.ok, json: EditResult(edited, in: list).json)
    }

    func quarantine() async throws -> Response {
        let entries = try await model.quarantined().map { ItemReport.Quarantined($0).json }
        return Response(.ok, json: ["quarantined": .array(entries)])
    }
}
