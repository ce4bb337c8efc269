import HTTP
import TandemItems
package import Wire

extension DaemonConnection {
    /// Opens the daemon's event stream. It has begun with the first event, and lasts until its reader is dropped, the
    /// task that reads it is cancelled, or the daemon goes.
    ///
    /// - Parameter stamp: where to resume; from now on where it is `nil`.
    package func events(since stamp: Int64?) async throws(DaemonError) -> LocalEventReader {
        LocalEventReader(try await open(.events(since: stamp)).bytes, at: address)
    }
}

/// Reads the daemon's event stream; one task at a time.
package struct LocalEventReader {
    private var bytes: ByteStream.AsyncIterator
    private var parser = EventStreamParser()
    private var waiting: [ServerSentEvent] = []
    private var position = 0
    private let address: String

    init(_ stream: ByteStream, at address: String) {
        bytes = stream.makeAsyncIterator()
        self.address = address
    }

    /// The next event, once it is there, and the size of its data; `nil` at the stream's end.
    ///
    /// Events of a kind that this version does not know are passed over. A change that it cannot read becomes
    /// ``LocalEvent/reload(stamp:)``: what the change was is found out by reading the lists.
    package mutating func next() async throws(DaemonError) -> (event: LocalEvent, bytes: Int)? {
        while true {
            while position < waiting.count {
                position += 1
                let event = waiting[position - 1]
                if let local = try read(event) { return (local, event.data.utf8.count) }
            }
            guard let chunk = try await nextChunk() else { return nil }
            guard let elements = parser.take(chunk) else {
                throw DaemonError(unreadable: "an event is too large", at: address)
            }
            waiting = elements.compactMap { if case .event(let event) = $0 { event } else { nil } }
            position = 0
        }
    }

    private mutating func nextChunk() async throws(DaemonError) -> [UInt8]? {
        do {
            return try await bytes.next(isolation: #isolation)
        } catch {
            throw DaemonError(error as? TransportError ?? TransportError(.interrupted, "\(error)"), at: address)
        }
    }

    private func read(_ event: ServerSentEvent) throws(DaemonError) -> LocalEvent? {
        do throws(InvalidItem) {
            return try LocalEvent(event)
        } catch {
            guard let stamp = event.id.flatMap({ Int64($0) }) else {
                throw DaemonError(unreadable: error.message, at: address)
            }
            return .reload(stamp: stamp)
        }
    }
}
