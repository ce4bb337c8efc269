import Dispatch
import Glibc
import Synchronization

/// The signals by which a service is told to stop or to read its configuration again.
package enum Signal: Int32, Sendable, CaseIterable {
    /// `SIGTERM`: stop in good order.
    case terminate = 15
    /// `SIGINT`: Ctrl-C at a terminal.
    case interrupt = 2
    /// `SIGHUP`: read the configuration again.
    case hangUp = 1
}

/// Signals as values. A handler only writes a byte to a pipe, the one thing it may do (signal-safety(7)); a dispatch
/// source turns the bytes into elements. Handlers, unlike ignored or blocked signals, do not pass to child processes.
package enum Signals {
    /// Makes a write to a closed socket an error (`EPIPE`) instead of the end of the process. Every server calls it.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Signals from now on, which then no longer end the process. When the last stream for a signal ends, the signal
    /// gets its default effect back, so that a second Ctrl-C ends a program that hangs while stopping.
    /// Keeps the newest 16 that nobody has taken.
    package static func stream(of signals: Set<Signal> = Set(Signal.allCases)) throws(PlatformError)
        -> AsyncStream<Signal>
    {
        try SignalPipe.open()
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(16))
        let key = SignalPipe.add(signals, continuation)
        continuation.onTermination = { _ in SignalPipe.remove(key) }
        return stream
    }
}

/// The process's one pipe from handlers to streams; a process has one set of handlers.
private enum SignalPipe {
    struct State {
        var source: (any DispatchSourceRead)?
        var nextKey = 0
        var listeners: [Int: (signals: Set<Signal>, continuation: AsyncStream<Signal>.Continuation)] = [:]
    }

    static let state = Mutex(State())
    static let writeEnd = Atomic<Int32>(-1)

    /// Opens the pipe once; it stays open as long as the process, because a handler may be using it.
    static func open() throws(PlatformError) {
        let failure = state.withLock { state -> PlatformError? in
            guard state.source == nil else { return nil }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return .last("cannot make the signal pipe") }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            let readEnd = ends[0]
            writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
            let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
            source.setEventHandler { deliver(from: readEnd) }
            source.activate()
            state.source = source
            return nil
        }
        if let failure { throw failure }
    }

    static func add(_ signals: Set<Signal>, _ continuation: AsyncStream<Signal>.Continuation) -> Int {
        state.withLock { state in
            state.nextKey += 1
            state.listeners[state.nextKey] = (signals, continuation)
            for signal in signals { handle(signal) }
            return state.nextKey
        }
    }

    static func remove(_ key: Int) {
        state.withLock { state in
            guard let removed = state.listeners.removeValue(forKey: key) else { return }
            let wanted = state.listeners.values.reduce(into: Set<Signal>()) { $0.formUnion($1.signals) }
            for signal in removed.signals.subtracting(wanted) { Glibc.signal(signal.rawValue, SIG_DFL) }
        }
    }

    private static func handle(_ signal: Signal) {
        var action = sigaction()
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = { number in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalPipe.writeEnd.load(ordering: .relaxed), &byte, 1)
            errno = saved
        }
        sigaction(signal.rawValue, &action, nil)
    }

    private static func deliver(from readEnd: Int32) {
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) == 1 {
            guard let signal = Signal(rawValue: Int32(byte)) else { continue }
            let continuations = state.withLock { state in
                state.listeners.values.filter { $0.signals.contains(signal) }.map(\.continuation)
            }
            for continuation in continuations { continuation.yield(signal) }
        }
    }
}
