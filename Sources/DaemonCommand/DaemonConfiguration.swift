import Platform

/// `tandemd.json5`.
struct DaemonConfiguration: ConfigurationFile {
    var store: String?
    var socket: String?
    var socketGroup: String?
    /// Seconds.
    var pollInterval: Double?
    var logLevel: String?

    static let allowedKeys = ["store", "socket", "socketGroup", "pollInterval", "logLevel"]

    /// Throws where a value is out of its range.
    func checkedLevel() throws -> LogLevel {
        guard let name = logLevel else { return .info }
        guard let level = LogLevel(name: name) else {
            throw StartError("logLevel: '\(name)' is none of error, warning, notice, info, debug")
        }
        return level
    }

    func checkedPollInterval() throws -> Duration {
        let seconds = pollInterval ?? 30
        guard (1...86_400).contains(seconds) else { throw StartError("pollInterval: from 1 to 86400 seconds") }
        return .milliseconds(Int64(seconds * 1_000))
    }
}

/// Why the daemon does not start.
struct StartError: Error {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
