package import HTTP
package import Platform
package import Sync
package import TandemItems
import Wire

/// The hub over HTTP.
///
/// Holds no state but its transports: any number of requests may run at once, and each may be repeated. What answers
/// but is no hub (a portal's page, a proxy, another service) is told from a hub that refuses.
package struct RemoteHub: HubConnection {
    /// Who asks: sent with every request.
    package struct Author: Sendable {
        package var token: String
        package var replica: ReplicaID
        /// The replica's name, for people.
        package var name: String

        package init(token: String, replica: ReplicaID, name: String) {
            self.token = token
            self.replica = replica
            self.name = name
        }
    }

    /// A stream on which nothing comes for this long has broken: three of the hub's heartbeats are missing.
    package static let patience: Duration = .seconds(45)

    private let transport: any Transport
    private let streams: any Transport
    private let author: Author
    private let time: any TimeSource

    /// - Parameter streams: the way for the event stream, where it is another one: its idle times are longer.
    package init(
        _ transport: any Transport, streams: (any Transport)? = nil, author: Author,
        time: any TimeSource = SystemTime()
    ) {
        self.transport = transport
        self.streams = streams ?? transport
        self.author = author
        self.time = time
    }

    package func hello() async throws(HubError) -> Hello {
        let bytes = try await answer(to: request(.hello), as: MediaType.json)
        guard let json = try? JSON(parsing: bytes), let hello = try? Hello(json: json) else {  // another service's JSON
            throw HubError(.notAHub, "what answers there is no Tandem hub")
        }
        return hello
    }

    package func push(
        _ mutations: [Mutation], to list: ListName, seen: Cursor?
    ) async throws(HubError) -> PushAnswer {
        var request = request(.push(list, seen: seen))
        // The author of the mutations: a store may have a new id since this connection was made. What it offers for
        // others comes first.
        if let replica = mutations.last?.replica { request.headers[HubHeader.replica] = replica.header }
        request.headers["Content-Type"] = MediaType.json
        request.body = PushBody.encode(mutations)
        let bytes = try await answer(to: request, as: MediaType.json)
        return try Self.reading { try PushAnswer(json: try JSON(parsing: bytes)) }
    }

    package func changes(
        in list: ListName, since cursor: Cursor?, limit: Int
    ) async throws(HubError) -> ChangesPage {
        let limits = HubRoute.pageLimits
        let limit = min(max(limit, limits.lowerBound), limits.upperBound)
        let bytes = try await answer(
            to: request(.changes(list, since: cursor, limit: limit)), as: MediaType.jsonLines)
        return try Self.reading { try ChangesPage(jsonLines: bytes) }
    }

    package func events() async throws(HubError) -> AsyncThrowingStream<HubEvent, any Error> {
        let watchdog = Watchdog(time: time, patience: Self.patience)
        var request = request(.events)
        request.headers["Accept"] = MediaType.eventStream
        let response = try await watchdog.open(request, over: streams)
        let bytes = ByteStream(response.body)
        guard response.status == .ok else {
            throw HubError(refusal: response, body: await watchdog.beginning(of: bytes))
        }
        try response.expect(MediaType.eventStream)
        let reader = HubEventReader(bytes, watchdog)
        return AsyncThrowingStream { try await reader.next() }
    }

    private func request(_ route: HubRoute) -> Request {
        var request = route.request
        request.headers = [
            "Authorization": "Bearer \(author.token)", HubHeader.protocolVersion: String(Hello.protocolVersion),
            HubHeader.replicaName: PercentEncoding.encode(author.name),
        ]
        request.headers[HubHeader.replica] = author.replica.header
        return request
    }

    /// The body of an answer that is what was asked for.
    private func answer(to request: Request, as type: String) async throws(HubError) -> [UInt8] {
        let response: Response
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw HubError(error)
        }
        guard response.status == .ok else { throw HubError(refusal: response, body: response.bytes) }
        try response.expect(type)
        return response.bytes
    }

    private static func reading<Value>(_ body: () throws -> Value) throws(HubError) -> Value {
        do {
            return try body()
        } catch {
            throw HubError(.rejected, "the hub's answer cannot be read: \(error)")
        }
    }
}

extension ReplicaID {
    /// The id as a header field's value; `nil` for one that is no plain ASCII. The hub does without it.
    fileprivate var header: String? {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
    }
}

extension Response {
    /// Throws where an answer of status 200 is of another type: a page for people, most often.
    fileprivate func expect(_ type: String) throws(HubError) {
        let actual = headers["Content-Type"]?.lowercased() ?? "no type"
        guard actual.prefix(while: { $0 != ";" && $0 != " " }) == type else {
            throw HubError(.notAHub, "what answers there is no Tandem hub: it sent \(actual.prefix(80))")
        }
    }
}
