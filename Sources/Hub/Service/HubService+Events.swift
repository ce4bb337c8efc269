import HTTP
import Platform
import TandemItems
import Wire

extension HubService {
    /// Opens an event stream: the envelope, the head of every list of the token, then new heads as they are committed
    /// and a heartbeat while there are none. It ends when the token's rights change, so that the replica asks anew.
    func events(_ request: Request) async throws -> Response {
        let opened = try await grants(of: request)
        let subscription = feed.subscribe(to: Set(opened.map(\.list)))
        do {
            // Subscribed first, read again then: no head falls between the two.
            let current = try await grants(of: request)
            let stream = HeadStream(self, subscription, request, opened: opened, current: current)
            return Response(eventStream: ByteStream { await stream.next() })
        } catch {
            feed.end(subscription)
            throw error
        }
    }

    /// The grants of a request's token, as they are now.
    fileprivate func grants(of request: Request) async throws -> [Grant] {
        let now = now
        return try await storage.read { try Access(request, in: $0, now: now).grants(in: $0) }
    }
}

/// Produces the chunks of one event stream, each when it is asked for.
private actor HeadStream {
    private let service: HubService
    private let subscription: HeadSubscription
    private let request: Request
    /// What the subscription was made for: rights that have changed since then end the stream, even those that changed
    /// while it opened.
    private let opened: [Grant]
    /// What is told first; `nil` once it has been.
    private var current: [Grant]?

    init(
        _ service: HubService, _ subscription: HeadSubscription, _ request: Request, opened: [Grant],
        current: [Grant]
    ) {
        self.service = service
        self.subscription = subscription
        self.request = request
        self.opened = opened
        self.current = current
    }

    deinit { service.feed.end(subscription) }

    func next() async -> [UInt8]? {
        if let current {
            self.current = nil
            let hello = ServerSentEvent(name: "hello", data: JSON.object(service.envelope).text)
            return current.reduce(into: hello.bytes) { $0 += HubEvent.head($1.list, $1.head).bytes }
        }
        guard let news = await subscription.next() else { return nil }
        if news.isBeat, await hasChanged { return nil }
        guard !news.heads.isEmpty else { return HubEvent.heartbeat.bytes }
        return news.heads.sorted { $0.key < $1.key }.reduce(into: []) { $0 += HubEvent.head($1.key, $1.value).bytes }
    }

    /// Whether the token's rights are others than when the stream began.
    private var hasChanged: Bool {
        get async {
            // A token that is gone and a store that fails both end the stream; the next request says why.
            guard let grants = try? await service.grants(of: request) else { return true }
            return grants.map { [$0.list.text, $0.role.rawValue] } != opened.map { [$0.list.text, $0.role.rawValue] }
        }
    }
}
