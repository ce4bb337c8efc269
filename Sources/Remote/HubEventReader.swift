import HTTP
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

    init(_ stream: ByteStream, _ watchdog: Watchdog) {
        self.stream = stream
        self.watchdog = watchdog
    }

    /// `nil` once the hub has ended the stream. Throws ``HubError`` where it breaks, or where it is mute for too long.
    func next() async throws -> HubEvent? {
        while unread.isEmpty {
            guard let bytes = try await watchdog.next(of: stream) else { return nil }
            guard let elements = parser.take(bytes) else {
                throw HubError(.rejected, "the hub sent an event that does not end")
            }
            unread = try elements.compactMap(Self.event).reversed()
        }
        return unread.popLast()
    }

    private static func event(_ element: EventStreamParser.Element) throws(HubError) -> HubEvent? {
        do throws(InvalidItem) {
            return try HubEvent(element)
        } catch {
            throw HubError(.rejected, "the hub sent an event that cannot be read: \(error)")
        }
    }
}
