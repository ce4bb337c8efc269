import HTTP
import Sodium
import TandemItems
import Wire

extension HubService {
    /// A page of the items that changed past a cursor, up to the head at the request's start.
    func changes(
        _ request: Request, in name: ListName, since cursor: Cursor?, limit: Int
    ) async throws -> Response {
        let (now, maximumBytes) = (now, configuration.answerBytes)
        let (epoch, bytes, trailer) = try await storage.read { store in
            let list = try Access(request, in: store, now: now).list(name, as: .reader, in: store)
            let epoch = try store.epoch()
            if let cursor { try Self.check(cursor, of: list, epoch, in: store) }
            let firstHead = cursor.map(\.firstHead) ?? list.head
            let items = try store.items(
                in: name, after: cursor?.sequence ?? .none, through: list.head, limit: limit,
                maximumBytes: maximumBytes, tombstonesAfter: firstHead ?? .none)
            let isWhole = items.count < limit && items.reduce(0) { $0 + $1.json.count } < maximumBytes
            let end = isWhole ? list.head : items.last?.version ?? list.head
            guard let digest = end == list.head ? list.digest : try store.digest(in: name, at: end) else {
                throw HubStorageError(.corrupt, "the history of \(name) has no sequence \(end)")
            }
            let next = Cursor(epoch: epoch, sequence: end, digest: digest, firstHead: firstHead)
            let lines = items.reduce(into: [UInt8]()) { $0 += $1.json + [UInt8(ascii: "\n")] }
            return (epoch, lines, ChangesPage.trailer(cursor: next, head: list.head))
        }
        note(epoch)
        var last = trailer
        for (key, value) in envelope.members { last[key] = value }
        return Response(.ok, jsonLines: bytes + JSON.object(last).encoded() + [UInt8(ascii: "\n")])
    }

    /// The digest of a list's state at its head: over every live item in bytewise order of the ids, recomputed from
    /// the rows at every request.
    func digest(_ request: Request, of name: ListName) async throws -> Response {
        let now = now
        let (epoch, object) = try await storage.read { store in
            let list = try Access(request, in: store, now: now).list(name, as: .reader, in: store)
            var hash = BLAKE2b(size: 32)
            var count: Int64 = 0
            try store.eachLiveItem(in: name) { item in
                count += 1
                hash.update(try JSON(parsing: item.json).encoded(canonical: true))
            }
            let epoch = try store.epoch()
            let cursor = Cursor(epoch: epoch, sequence: list.head, digest: list.digest)
            let object: JSONObject = [
                "cursor": .string(cursor.description), "items": .int(count),
                "digest": .string(Hex.encode(hash.finalize())),
            ]
            return (epoch, object)
        }
        note(epoch)
        return reply(object)
    }

    /// Throws a ``Failure`` of status 409 where a place is not in a list's history.
    static func check(_ place: Cursor, of list: HubList, _ epoch: Epoch, in store: any HubReading) throws {
        guard place.epoch == epoch else {
            throw Failure.historyDiverged("the cursor is from another life of this hub")
        }
        guard try store.digest(in: list.name, at: place.sequence) == place.digest else {
            throw Failure.historyDiverged("the hub's history has no such place")
        }
    }
}

extension Failure {
    /// The two ends speak of different histories.
    static func historyDiverged(_ message: String) -> Failure {
        Failure(
            .conflict, code: "history-diverged", message, hint: "the hub was restored from a copy, or is another hub")
    }
}
