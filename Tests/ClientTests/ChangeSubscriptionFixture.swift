import Dispatch
import HTTP
import Platform
import Synchronization
import TandemClient
import Wire

/// The daemon's event stream: commits are told in order, and a stamp is resumed from.
final class EventDaemon: Handler {
    private let log = Mutex<[ChangeReport]>([])
    /// The streams that are open.
    let streams = Watched<[EventStreamOutlet]>([])
    /// The stamps that clients resumed from, in order.
    let resumed = Watched<[Int64?]>([])
    let isOtherStore = Watched(false)

    func respond(to request: Request) async -> Response {
        do throws(Failure) {
            guard case .events(let since) = try LocalRoute(request) else { throw .unknownRoute }
            return Response(eventStream: open(since))
        } catch {
            return Response(error)
        }
    }

    /// Commits one change; the store's stamp is the count of commits.
    func commit(
        _ kind: ChangeReport.Change.Kind, _ item: Item, in list: ListName = .todo, fields: [FieldName] = [.title],
        isRemote: Bool = false
    ) {
        let report = log.withLock { log in
            let change = ChangeReport.Change(kind: kind, item: item, fields: fields)
            log.append(ChangeReport(stamp: Int64(log.count + 1), list: list, isRemote: isRemote, changes: [change]))
            return log[log.count - 1]
        }
        tell(LocalEvent.changes(report).event)
    }

    func tell(_ event: ServerSentEvent) { for stream in streams.value { stream.put(event.bytes) } }

    /// Ends every stream, as a daemon that stops does.
    func breakStreams() { for stream in streams.value { stream.finish() } }

    private func open(_ since: Int64?) -> ByteStream {
        let outlet = EventStreamOutlet()
        let reports = log.withLock { $0 }
        let last = Int64(reports.count)
        if isOtherStore.value {
            outlet.put(LocalEvent.reload(stamp: last).event.bytes)
        } else {
            outlet.put(LocalEvent.hello(stamp: since ?? last).event.bytes)
            for report in reports.dropFirst(Int(since ?? last)) { outlet.put(LocalEvent.changes(report).event.bytes) }
        }
        resumed.update { $0.append(since) }
        streams.update { $0.append(outlet) }
        let end = EndOfStream { [weak self] in self?.streams.update { $0.removeAll { $0 === outlet } } }
        return ByteStream {
            _ = end
            return await outlet.next()
        }
    }
}

/// Tells when a stream is dropped by its reader.
private final class EndOfStream: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}

/// One open stream, from the daemon's side.
final class EventStreamOutlet: Sendable {
    private struct State {
        var chunks: [[UInt8]] = []
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
        var idle: DispatchSemaphore?
    }

    private let state = Mutex(State())

    func put(_ bytes: [UInt8]) { wake { $0.chunks.append(bytes) } }

    func finish() { wake { $0.isFinished = true } }

    /// Blocks this thread until the reader has taken everything and asks for more: by then it has passed on all that
    /// it took.
    func waitUntilRead() {
        let idle = DispatchSemaphore(value: 0)
        let isIdle = state.withLock { state in
            guard state.reader == nil || !state.chunks.isEmpty else { return true }
            state.idle = idle
            return false
        }
        if !isIdle { idle.wait() }
    }

    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.chunks.isEmpty, !state.isFinished else { return true }
                    state.reader = continuation
                    state.idle.take()?.signal()
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            finish()
        }
        return state.withLock { $0.chunks.isEmpty ? nil : $0.chunks.removeFirst() }
    }

    private func wake(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            return state.reader.take()
        }
        reader?.resume()
    }
}

/// A daemon, a way to it, and time that the test moves.
struct SubscriptionFixture {
    let daemon = EventDaemon()
    let time = ManualTime()
    let random = SeededRandom(seed: 1)
    let transport: BoundedTransport
    let connection: DaemonConnection

    init() {
        transport = BoundedTransport(handler: daemon)
        connection = DaemonConnection(transport: transport)
    }

    @MainActor
    func subscribe(
        _ list: ListName? = nil, since stamp: Int64? = nil, _ onChange: @escaping @MainActor (ChangeBatch) -> Void
    ) -> ChangeSubscription {
        ChangeSubscription(connection, list: list, since: stamp, time: time, random: random, onChange: onChange)
    }

    func batches(_ list: ListName? = nil) -> AsyncStream<ChangeBatch> {
        ChangeSubscription.batches(from: connection, list: list, time: time, random: random)
    }
}

/// Keeps the batches of a subscription, and asserts where they come.
@MainActor
final class BatchCollector {
    let received = Watched<[ChangeBatch]>([])
    private(set) var subscription: ChangeSubscription?

    init(_ fixture: SubscriptionFixture, _ list: ListName? = nil, since stamp: Int64? = nil) {
        subscription = fixture.subscribe(list, since: stamp) { [received] batch in
            dispatchPrecondition(condition: .onQueue(.main))
            received.update { $0.append(batch) }
        }
    }

    var batches: [ChangeBatch] { received.value }
    var reports: [ChangeReport] { batches.flatMap(\.reports) }

    func wait(_ isMet: @escaping @Sendable ([ChangeBatch]) -> Bool) async { await received.wait(until: isMet) }

    func waitUntilConnected() async { await wait { $0.last?.isConnected == true } }

    func drop() { subscription = nil }
}
