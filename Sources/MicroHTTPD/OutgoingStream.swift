/// A streamed answer between its producer's task, which hands over one chunk at a time, and the library, which takes
/// it in pieces. On the server's thread only.
struct OutgoingStream {
    enum Read {
        case bytes(Int)
        case nothingYet
        case end
        case failure
    }

    private enum State {
        case notAStream
        case open
        case ended
        case failed
    }

    private var state = State.notAStream
    private var chunk: [UInt8] = []
    private var offset = 0
    private var taken: CheckedContinuation<Bool, Never>?

    var isOpen: Bool { state != .notAStream }

    mutating func open() {
        if state == .notAStream { state = .open }
    }

    mutating func take(_ chunk: [UInt8], _ taken: CheckedContinuation<Bool, Never>) {
        guard state == .open else { return taken.resume(returning: false) }
        self.chunk = chunk
        self.taken = taken
        offset = 0
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        if state == .failed { return .failure }
        guard offset < chunk.count else { return state == .ended ? .end : .nothingYet }
        let count = min(buffer.count, chunk.count - offset)
        buffer.copyBytes(from: chunk[offset..<(offset + count)])
        offset += count
        if offset == chunk.count { release(true) }
        return .bytes(count)
    }

    mutating func end(isComplete: Bool) {
        guard state == .open else { return }
        state = isComplete ? .ended : .failed
    }

    mutating func fail() {
        state = .failed
        release(false)
    }

    private mutating func release(_ isTaken: Bool) {
        chunk = []
        offset = 0
        taken.take()?.resume(returning: isTaken)
    }
}
