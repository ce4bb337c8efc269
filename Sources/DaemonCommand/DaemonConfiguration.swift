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

    /// Throws where a value is none that the daemon knows; `path` is the file's.
    func checkedLevel(_ path: String) throws(ConfigurationError) -> LogLevel {
        guard let name = logLevel else { return .info }
        guard let level = LogLevel(name: name) else {
            throw ConfigurationError(
                path: path, key: "logLevel", message: "'\(name)' is none of error, warning, notice, info, debug")
        }
        return level
    }

    func checkedPollInterval(_ path: String) throws(ConfigurationError) -> Duration {
        let seconds = pollInterval ?? 30
        guard (1...86_400).contains(seconds) else {
            throw ConfigurationError(path: path, key: "pollInterval", message: "is to be from 1 to 86400 seconds")
        }
        return .milliseconds(Int64(seconds * 1_000))
    }
}
