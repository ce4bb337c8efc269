import Glibc
import MicroHTTPD
import Platform
import Sync

let command = Command(
    "tandemd", "Keeps this machine's lists and syncs them with the hub",
    options: [
        .value("config", "FILE", "Configuration file (JSON5)"),
        .value("store", "DIR", "Directory of the store"),
        .value("socket", "PATH", "Where local programs find the daemon"),
        .flag("version", "Tell the version"),
    ],
    discussion: """
        Without options the store and the socket are where systemd or the XDG base directories put them. One daemon \
        uses a store at a time. SIGTERM stops it with everything stored; SIGHUP reads the configuration again.
        """)

func listenAddress(
    _ parsed: Parsed, _ file: DaemonConfiguration, _ filePath: String, _ directories: Directories
) throws -> ListenAddress {
    if let inherited = try ListenSockets.inherited().first { return .inherited(descriptor: inherited.descriptor) }
    let path = parsed.value("socket") ?? directories.daemonSocket(configured: file.socket)
    _ = try UnixSocketAddress(path)
    let directory = Files.parent(of: path)
    if !Files.isDirectory(directory) { try Files.createPrivateDirectory(directory) }
    guard let name = file.socketGroup else { return .unix(path: path, group: nil) }
    guard let group = GroupID.of(name) else {
        throw ConfigurationError(path: filePath, key: "socketGroup", message: "there is no group '\(name)'")
    }
    return .unix(path: path, group: group)
}

await Program.run(command) { error in
    switch error {
    case let error as ReplicaStorageError where error.code == .inUse:
        .init(error.message, hint: "one daemon uses a store at a time; 'tandem status' talks to the one that runs")
    case let error as ReplicaStorageError where error.code == .tooNew:
        .init(error.message, hint: "upgrade tandemd; the store was left as it is")
    case let error as ReplicaStorageError where error.code == .readOnly:
        .init(error.message, hint: "make the store's directory writable for the user that tandemd runs as")
    case let error as ReplicaStorageError where error.code == .full:
        .init(error.message, hint: "make room on the disk of the store, then start tandemd again")
    case let error as ServerError where error.code != .refused:
        .init(error.message, hint: "give another place with --socket, or end what uses this one")
    default: nil
    }
} _: { parsed in
    if parsed.flag("version") {
        print("tandemd \(Program.version)")
        return
    }
    let directories = Directories()
    let path =
        try parsed.value("config").map { Directories.ConfigurationPath(path: $0, isExplicit: true) }
        ?? directories.configuration(of: .daemon)
    let file = try Configuration.load(DaemonConfiguration.self, from: path)
    let store = try parsed.value("store") ?? directories.store(of: .daemon, configured: file.store)
    let listen = try listenAddress(parsed, file, path.path, directories)
    try await DaemonProcess(
        store: try Files.absolute(store), configuration: file, listen: listen, configurationPath: path
    ).run()
}
