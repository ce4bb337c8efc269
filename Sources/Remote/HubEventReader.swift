import HTTP
import Platform
import Sync
import TandemItems
import Wire

/// Reads the hub's events from the bytes of one stream, each when it is asked for.
actor HubEventReader {
    private let stream: ByteStream
    private let watchdog: Watchdog
    private var parser = EventStreamParser()
    /// Read and not yet asked for, the next one last.
    private var unread: [HubEvent] = []
    private var lastBeat: Duration

    init(_ stream: ByteStream, _ watchdog: Watchdog) {
        self.stream = stream
        self.watchdog = watchdog
        lastBeat = watchdog.time.monotonic
    }

    /// `nil` once the hub has ended the stream. Throws ``HubError`` where it breaks, or where it is mute for too long.
    func next() async throws -> HubEvent? {
        while unread.isEmpty {
            guard let bytes = try await watchdog.next(of: stream) else { return nil }
            guard let elements = parser.take(bytes) else {
                throw HubError(.rejected, "the hub sent an event that does not end")
            }
            unread = try elements.compactMap(Self.event).filter(isNews).reversed()
        }
        return unread.popLast()
    }

    /// A heartbeat says that the stream has held for a while: one that comes at once, or with many others, says nothing.
    private func isNews(_ event: HubEvent) -> Bool {
        guard case .heartbeat = event else { return true }
        let now = watchdog.time.monotonic
        guard now - lastBeat >= Self.shortestBeat else { return false }
        lastBeat = now
        return true
    }

    /// Shorter than what any hub that means it keeps between two heartbeats.
    private static let shortestBeat: Duration = .seconds(3)

    private static func event(_ element: EventStreamParser.Element) throws(HubError) -> HubEvent? {
        do throws(InvalidItem) {
            return try HubEvent(element)
        } catch {
            throw HubError(.rejected, "the hub sent an event that cannot be read: \(error)")
        }
    }
}
