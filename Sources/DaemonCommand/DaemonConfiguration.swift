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

    func checkedPollInterval(_ path: String) throws(ConfigurationError) -> Duration {
        let seconds = pollInterval ?? 30
        guard (1...86_400).contains(seconds) else {
            throw ConfigurationError(path: path, key: "pollInterval", message: "is to be from 1 to 86400 seconds")
        }
        return .milliseconds(Int64(seconds * 1_000))
    }
}
