import Synchronization

/// Passes on the records of a level and above; the level may be changed while others log.
package final class LevelFilter: LogSink {
    private let sink: any LogSink
    private let level: Mutex<LogLevel>

    package init(_ sink: any LogSink, level: LogLevel) {
        self.sink = sink
        self.level = Mutex(level)
    }

    package func set(_ level: LogLevel) { self.level.withLock { $0 = level } }

    package func receive(_ record: LogRecord) {
        guard record.level >= level.withLock(\.self) else { return }
        sink.receive(record)
    }
}
