/// Writes what a service does, for its operator. Arrives through `init`; a value, cheap to copy, safe from any thread.
///
/// Messages are constant so that lines can be searched and counted; what varies is metadata. Neither may hold item
/// contents, tokens or bodies.
package struct Logger: Sendable {
    /// Metadata of one line, in order.
    package typealias Metadata = KeyValuePairs<String, any CustomStringConvertible>

    /// The least grave level that is written.
    package let level: LogLevel
    private let sink: any LogSink
    private let time: any TimeSource
    private let fields: [LogField]

    /// - Parameter time: what the lines are stamped with.
    package init(level: LogLevel = .info, sink: any LogSink, time: any TimeSource = SystemTime()) {
        self.init(level: level, sink: sink, time: time, fields: [])
    }

    private init(level: LogLevel, sink: any LogSink, time: any TimeSource, fields: [LogField]) {
        self.level = level
        self.sink = sink
        self.time = time
        self.fields = fields
    }

    /// Writes nothing: for tests that do not look at the log, and for tools.
    package static let silent = Logger(level: .error, sink: NoSink())

    /// The same logger with more metadata on every line.
    package func with(_ metadata: Metadata) -> Logger {
        Logger(
            level: level, sink: sink, time: time,
            fields: fields + metadata.map { LogField($0.key, $0.value.description) })
    }

    package func error(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.error, message, metadata)
    }

    package func warning(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.warning, message, metadata)
    }

    package func notice(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.notice, message, metadata)
    }

    package func info(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.info, message, metadata)
    }

    package func debug(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.debug, message, metadata)
    }

    /// Metadata is computed only for lines that are written.
    private func log(_ level: LogLevel, _ message: StaticString, _ metadata: () -> Metadata) {
        guard level >= self.level else { return }
        let added = metadata().map { LogField($0.key, $0.value.description) }
        sink.receive(LogRecord(level: level, message: message.description, metadata: fields + added, time: time.now))
    }
}

private struct NoSink: LogSink {
    func receive(_ record: LogRecord) {}
}
