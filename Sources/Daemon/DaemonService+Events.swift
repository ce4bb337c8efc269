import HTTP
import Platform
import Sync
import TandemItems
import Wire

extension DaemonService {
    /// Opens an event stream: what changed after a stamp, then every commit as it happens.
    func events(since stamp: Int64?) async throws -> Response {
        let subscription = model.commits.subscribe()
        let last: Int64
        do {
            last = try await model.lastStamp()
        } catch {
            model.commits.end(subscription)
            throw error
        }
        let stream = CommitStream(model, subscription, time, since: stamp, last: last)
        return Response(eventStream: ByteStream { try await stream.next() })
    }
}

/// Produces the chunks of one event stream, each when it is asked for.
private actor CommitStream {
    /// How often an idle stream shows that it lives; also how a client that is gone is noticed.
    private static let heartbeat = Duration.seconds(15)

    private let model: CoreModel
    private let subscription: CommitSubscription
    private let time: any TimeSource
    private var opening: LocalEvent?
    /// The stamp up to which the client has been told, while it is being brought up to date.
    private var replayed: Int64?

    init(_ model: CoreModel, _ subscription: CommitSubscription, _ time: any TimeSource, since: Int64?, last: Int64) {
        self.model = model
        self.subscription = subscription
        self.time = time
        switch since {
        case nil: opening = .hello(stamp: last)
        case let since? where since > last: opening = .reload(stamp: last)
        case let since?:
            opening = .hello(stamp: since)
            replayed = since
        }
    }

    deinit { model.commits.end(subscription) }

    func next() async throws -> [UInt8]? {
        if let event = opening {
            opening = nil
            return event.event.bytes
        }
        if let stamp = replayed {
            let changes = try await model.changes(after: stamp, limit: 500)
            replayed = changes.last?.stamp
            if !changes.isEmpty { return changes.reduce(into: []) { $0 += replay($1) } }
        }
        return await live()
    }

    private func live() async -> [UInt8]? {
        switch await nextNews() {
        case nil: return nil
        case .heartbeat?: return ServerSentEvent.heartbeat
        case .news(let news)?:
            var bytes: [UInt8] = []
            if news.fellBehind {
                // A store that fails here ends the stream; the client comes back and asks.
                guard let stamp = try? await model.lastStamp() else { return nil }
                bytes += LocalEvent.reload(stamp: stamp).event.bytes
            }
            for commit in news.commits { bytes += LocalEvent.changes(ChangeReport(commit)).event.bytes }
            if news.hasStatus { bytes += LocalEvent.status.event.bytes }
            return bytes
        }
    }

    private enum Next: Sendable {
        case news(CommitSubscription.News)
        case heartbeat
    }

    /// Waits for news or for the time of a heartbeat. News that comes while the wait ends is not lost.
    private func nextNews() async -> Next? {
        await withTaskGroup(of: Next?.self) { [subscription, time] group in
            group.addTask { await subscription.next().map { .news($0) } }
            group.addTask { (try? await time.sleep(for: Self.heartbeat)) == nil ? nil : .heartbeat }  // nil: cancelled
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            if case .news? = second { return second }
            return first
        }
    }

    private func replay(_ change: (stamp: Int64, list: ListName, item: Item)) -> [UInt8] {
        let kind: ChangeReport.Change.Kind = change.item.isDeleted ? .removed : .updated
        let report = ChangeReport(
            stamp: change.stamp, list: change.list, isRemote: true,
            changes: [.init(kind: kind, item: change.item, fields: [])])
        return LocalEvent.changes(report).event.bytes
    }
}

extension ChangeReport {
    init(_ commit: Commit) {
        let changes = commit.changes.map { change in
            Change(
                kind: Change.Kind(rawValue: change.kind.rawValue) ?? .updated, item: change.item,
                fields: change.fields)
        }
        self.init(stamp: commit.stamp, list: commit.list, isRemote: commit.source == .remote, changes: changes)
    }
}
