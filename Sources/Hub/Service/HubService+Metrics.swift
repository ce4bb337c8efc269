import HTTP
import Wire

extension HubService {
    /// The metrics, for who asks on this machine: they name lists, and nobody has a token for them.
    func metrics(_ request: Request) async throws -> Response {
        guard request.isFromThisMachine else {
            throw Failure(
                .forbidden, code: "forbidden", "the metrics are for this machine alone",
                hint: "ask the hub's own address from the machine it runs on")
        }
        let (epoch, lists) = try await storage.read { (try $0.epoch(), try $0.lists()) }
        note(epoch)
        return Response(
            .ok, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"],
            body: .bytes(Array(metrics.text(lists: lists, eventStreams: feed.count).utf8)))
    }
}

extension Request {
    /// Whether the other end is on this machine and asks for itself. A proxy on this machine asks for others, and says
    /// so (RFC 7239, and the fields that were in use before it).
    fileprivate var isFromThisMachine: Bool {
        guard ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].allSatisfy({ headers[$0] == nil }) else {
            return false
        }
        switch peer {
        case .local, .inProcess: return true
        case .network(let address): return address == "::1" || address.hasPrefix("127.")
        }
    }
}
