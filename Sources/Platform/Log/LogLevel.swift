/// How much a log line matters; the values are the priorities of syslog(3), smaller is graver.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Work could not be done and someone should look.
    case error = 3
    /// Work was done another way, or will be tried again.
    case warning = 4
    /// Rare and worth knowing: start, stop, a store set aside.
    case notice = 5
    /// One line a request or a sync.
    case info = 6
    /// For a developer.
    case debug = 7

    /// The name as configurations and log lines spell it.
    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// The level that a file names under the key `logLevel`, `info` where it names none.
    ///
    /// - Parameter path: the file, for the error.
    package init(configured name: String?, in path: String) throws(ConfigurationError) {
        guard let name else {
            self = .info
            return
        }
        guard let level = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ConfigurationError(path: path, key: "logLevel", message: "'\(name)' is none of \(names)")
        }
        self = level
    }

    /// Graver is greater, so that `level >= .warning` reads as it should.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue > right.rawValue
    }
}
