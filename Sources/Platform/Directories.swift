import Glibc

/// Where a program keeps its things: the environment's overrides, then systemd's directories (systemd.exec(5)), then
/// those of the XDG base directory specification. Functions of a dictionary; nothing here touches the disk but the
/// question whether a path exists, which tests answer themselves.
package struct Directories: Sendable {
    /// The programs that keep something.
    package enum Program: String, Sendable {
        case hub = "tandem-hub"
        case daemon = "tandemd"

        /// The directory below `XDG_DATA_HOME`.
        fileprivate var dataName: String {
            switch self {
            case .hub: "tandem-hub"
            case .daemon: "tandem"
            }
        }
    }

    /// A configuration file that may be missing unless the user named it.
    package struct ConfigurationPath: Sendable, Equatable {
        package let path: String
        /// Named by `--config` or `TANDEM_CONFIG`: then its absence is an error.
        package let isExplicit: Bool

        package init(path: String, isExplicit: Bool) {
            self.path = path
            self.isExplicit = isExplicit
        }
    }

    private let environment: [String: String]
    private let user: UInt32
    private let exists: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - user: the user id that stands in the names of login and fallback directories.
    ///   - exists: answers whether a path exists; by default the disk does.
    package init(
        environment: [String: String] = ProcessEnvironment.current, user: UInt32 = geteuid(),
        exists: @escaping @Sendable (String) -> Bool = { Files.exists($0) }
    ) {
        self.environment = environment
        self.user = user
        self.exists = exists
    }

    /// The directory of a program's store: `TANDEM_STORE`, what its file has, `STATE_DIRECTORY`, `XDG_DATA_HOME`,
    /// `~/.local/share`.
    package func store(of program: Program, configured: String? = nil) throws(PlatformError) -> String {
        if let path = value("TANDEM_STORE") ?? configured { return path }
        if let path = firstDirectory("STATE_DIRECTORY") { return path }
        return try base("XDG_DATA_HOME", orBelowHome: ".local/share") + "/" + program.dataName
    }

    /// A program's configuration: `TANDEM_CONFIG`, `CONFIGURATION_DIRECTORY`, `XDG_CONFIG_HOME`, `~/.config`.
    package func configuration(of program: Program) throws(PlatformError) -> ConfigurationPath {
        if let path = value("TANDEM_CONFIG") { return ConfigurationPath(path: path, isExplicit: true) }
        let file = program.rawValue + ".json5"
        if let directory = firstDirectory("CONFIGURATION_DIRECTORY") {
            return ConfigurationPath(path: directory + "/" + file, isExplicit: false)
        }
        let path = try base("XDG_CONFIG_HOME", orBelowHome: ".config") + "/tandem/" + file
        return ConfigurationPath(path: path, isExplicit: false)
    }

    /// Where the daemon listens: `TANDEM_SOCKET`, what its file has, else `tandemd.sock` in `runtimeDirectory`.
    package func daemonSocket(configured: String? = nil) -> String {
        value("TANDEM_SOCKET") ?? configured ?? runtimeDirectory + "/tandemd.sock"
    }

    /// Where the command line looks for the daemon: as `daemonSocket`, but when nothing is there and the system's
    /// instance for this user is (`tandemd@USER.service`), then that one.
    package var clientSocket: String {
        let own = daemonSocket()
        guard value("TANDEM_SOCKET") == nil, !exists(own) else { return own }
        guard let name = value("USER") ?? value("LOGNAME") else { return own }
        let system = "/run/tandem/\(name)/tandemd.sock"
        return exists(system) ? system : own
    }

    /// For sockets: `RUNTIME_DIRECTORY`, `XDG_RUNTIME_DIR/tandem`, `/run/user/UID/tandem`, else `/tmp/tandem-UID`.
    /// Make it with `Files.createPrivateDirectory`, which refuses one that another user made first.
    package var runtimeDirectory: String {
        if let path = firstDirectory("RUNTIME_DIRECTORY") { return path }
        if let path = absolute("XDG_RUNTIME_DIR") { return path + "/tandem" }
        let login = "/run/user/\(user)"
        return exists(login) ? login + "/tandem" : "/tmp/tandem-\(user)"
    }

    private func base(_ name: String, orBelowHome tail: String) throws(PlatformError) -> String {
        if let path = absolute(name) { return path }
        guard let home = absolute("HOME") else {
            throw PlatformError(message: "HOME is not set; set it, or \(name), or name the path with an option")
        }
        return home == "/" ? "/" + tail : home + "/" + tail
    }

    /// systemd separates several directories by colons; the first is the service's own.
    private func firstDirectory(_ name: String) -> String? {
        value(name)?.split(separator: ":").first.map(String.init)
    }

    /// The specification has relative paths ignored.
    private func absolute(_ name: String) -> String? {
        guard let path = value(name), path.hasPrefix("/") else { return nil }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private func value(_ name: String) -> String? {
        guard let value = environment[name], !value.isEmpty else { return nil }
        return value
    }
}
