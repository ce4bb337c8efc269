import Glibc
import Synchronization

/// Where log records go. Called from any thread; must not block for long.
package protocol LogSink: Sendable {
    func receive(_ record: LogRecord)
}

/// Standard error, in the form its reader wants: priorities for the journal, times for everyone else.
package final class StandardErrorSink: LogSink {
    private let isJournal: Bool
    private let turn = Mutex(())

    /// Looks once, at the time of the call, where standard error leads.
    package init(environment: [String: String] = ProcessEnvironment.current) {
        isJournal = Self.leadsToJournal(STDERR_FILENO, environment: environment)
    }

    package func receive(_ record: LogRecord) {
        let line = (isJournal ? record.withPriority : record.withTime) + "\n"
        turn.withLock { _ in Output.standardError(line) }
    }

    /// Whether a descriptor is the journal's socket. `JOURNAL_STREAM` being set does not suffice: it is inherited by
    /// processes whose output was redirected, so its device and inode are compared (systemd.exec(5)).
    package static func leadsToJournal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

/// Keeps records for tests to look at, without bound.
package final class LogRecorder: LogSink {
    private let kept = Mutex<[LogRecord]>([])

    package init() {}

    package var records: [LogRecord] {
        kept.withLock { $0 }
    }

    package func receive(_ record: LogRecord) {
        kept.withLock { $0.append(record) }
    }
}
