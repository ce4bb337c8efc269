import HTTP
import Sync
import TandemItems
import Wire

extension DaemonService {
    func statusResponse() async throws -> Response {
        Response(.ok, json: try await report().json)
    }

    func report() async throws -> StatusReport {
        let record = try await model.record()
        let status = await driver.status
        let lists = try await model.lists().map { list, counts in
            StatusReport.List(
                name: list.name, kind: list.kind, role: list.role?.rawValue, items: counts.items,
                pending: counts.pending, conflicts: counts.conflicts, quarantined: counts.quarantined,
                lag: status.lag[list.name])
        }
        return StatusReport(
            state: status.state.rawValue, replica: record.replica.text, name: record.name, store: identity.store,
            hubAddress: record.membership?.address, hubName: record.membership?.hubName,
            isCaughtUp: status.isCaughtUp, lists: lists,
            problem: status.error.map { .init(code: $0.code.rawValue, message: $0.message, hint: $0.hint) }
                ?? keptBack(lists, isJoined: record.membership != nil),
            lastContact: status.lastContact, nextTry: status.nextTry, clockOffset: record.clockOffset,
            version: identity.version)
    }

    /// Edits that the token's rights keep from the hub are a problem even while all requests succeed.
    private func keptBack(_ lists: [StatusReport.List], isJoined: Bool) -> StatusReport.Problem? {
        guard isJoined, let list = lists.first(where: { $0.pending > 0 && $0.role == "reader" }) else { return nil }
        let message = "\(list.pending) edits of '\(list.name)' wait: this machine's token may only read it now"
        return .init(code: "forbidden", message: message, hint: HubError(.forbidden, "").hint)
    }

    func sync(_ seconds: Int) async throws -> Response {
        guard try await model.record().membership != nil else {
            throw ModelError(.notJoined, "this store belongs to no hub")
        }
        do throws(SyncDriver.SyncError) {
            try await driver.sync(timeout: .seconds(seconds))
        } catch {
            switch error {
            case .timedOut:
                throw Failure(
                    .gatewayTimeout, code: "timed-out", "not synced within \(seconds) s",
                    hint: "'tandem status' says what it waits for")
            case .failed(let error): throw error
            }
        }
        return try await statusResponse()
    }

    func join(_ request: Request) async throws -> Response {
        let link = try JoinLink(try request.json().members("a join").text("link"))
        do {
            _ = try await driver.join(Membership(address: link.address, token: link.token))
        } catch let error as HubError {
            throw Failure(.unavailable, code: error.code.rawValue, error.message, hint: error.joinHint)
        }
        return try await statusResponse()
    }

    func addList(_ request: Request) async throws -> Response {
        let body = try request.json().members("a list")
        let name = try ListName(body.text("name"))
        let kind = body["kind"]?.string ?? ListKind.todo.text
        guard (1...Limits.listNameBytes).contains(kind.utf8.count) else {
            throw Failure(.badRequest, code: "malformed", "a kind has 1 to \(Limits.listNameBytes) bytes")
        }
        try await model.addList(name, kind: ListKind(kind))
        return Response(.created, json: ["name": .string(name.text), "kind": .string(kind)])
    }
}
