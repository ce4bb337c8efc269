/// Chunks of a body that is produced while it is sent. A producer made with `unfolding` is asked for a chunk only
/// when the one before has been taken, so a slow reader holds back its own producer and nothing else.
package typealias ByteStream = AsyncThrowingStream<[UInt8], any Error>

/// What a response carries.
package enum Body: Sendable {
    case bytes([UInt8])
    /// Sent chunked; ends with the stream. The reader's departure cancels the task that awaits the next chunk.
    case stream(ByteStream)
}

extension ByteStream {
    /// A body as a stream; one that is whole comes in one piece.
    package init(_ body: Body) {
        switch body {
        case .stream(let stream): self = stream
        case .bytes(let bytes):
            self.init { continuation in
                if !bytes.isEmpty { continuation.yield(bytes) }
                continuation.finish()
            }
        }
    }
}

/// A response to one request.
package struct Response: Sendable {
    package var status: Status
    package var headers: Headers
    package var body: Body

    package init(_ status: Status, headers: Headers = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes of a body that is whole; a stream has none here.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
