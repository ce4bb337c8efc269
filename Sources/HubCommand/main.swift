import Glibc
import Hub
import MicroHTTPD
import Platform
import TandemItems
import Wire

/// Where to listen: a socket that the service manager opened, the option, the file, or the default.
func listenAddress(_ parsed: Parsed, _ file: HubFileConfiguration, _ filePath: String) throws -> ListenAddress {
    if let inherited = try ListenSockets.inherited().first { return .inherited(descriptor: inherited.descriptor) }
    let text = parsed.value("listen") ?? file.listen ?? "127.0.0.1:8440"
    if let address = ListenAddress(text) { return address }
    let message = "'\(text)' is no address and port, as 127.0.0.1:8440 is"
    guard parsed.value("listen") == nil else { throw parsed.mistake("--listen: " + message) }
    throw ConfigurationError(path: filePath, key: "listen", message: message)
}

let readOnlyHint = "make the store's directory writable for the user that tandem-hub runs as"

func describe(_ error: any Error) -> Program.Report? {
    switch error {
    case let error as CommandError: .init(error.message, hint: error.hint)
    case let error as Failure: .init(error.message, hint: error.hint, exitCode: error.status == 404 ? 4 : 1)
    case let error as HubStorageError where error.code == .tooNew:
        .init(error.message, hint: "upgrade tandem-hub; the store was left as it is")
    case let error as HubStorageError where error.code == .readOnly:
        .init(error.message, hint: readOnlyHint)
    case let error as PlatformError where [EROFS, EACCES, EPERM].contains(error.code):
        .init(error.description, hint: readOnlyHint)
    case let error as HubStorageError where error.code == .full:
        .init(error.message, hint: "make room on the disk of the store, then try again")
    case let error as ServerError where error.code != .refused:
        .init(error.message, hint: "give another place with --listen, or end what uses this one")
    case let error as InvalidItem: .init(error.message, exitCode: UsageError.exitCode)
    default: nil
    }
}

await Program.run(HubVerbs.command, describe: describe) { parsed in
    guard !parsed.verbs.isEmpty else {
        guard parsed.flag("version") else { throw parsed.mistake("a command is missing") }
        print("tandem-hub \(Program.version)")
        return
    }
    let directories = Directories()
    let path =
        try parsed.value("config").map { Directories.ConfigurationPath(path: $0, isExplicit: true) }
        ?? directories.configuration(of: .hub)
    let file = try Configuration.load(HubFileConfiguration.self, from: path)
    let store = try Files.absolute(
        try parsed.value("store") ?? directories.store(of: .hub, configured: file.store))
    switch parsed.verbs.joined(separator: " ") {
    case "serve":
        let listen = try listenAddress(parsed, file, path.path)
        try await Serve(store: store, listen: listen, configuration: file, configurationPath: path).run()
    case "list add": try await Lists.add(parsed, store)
    case "list ls": try await Lists.show(parsed, store)
    case "list rm": try await Lists.remove(parsed, store)
    case "token add": try await Tokens.add(parsed, store)
    case "token ls": try await Tokens.show(parsed, store)
    case "token revoke": try await Tokens.revoke(parsed, store)
    case "backup": try await Maintenance.backUp(parsed, store)
    default: try await Maintenance.check(parsed, store)
    }
}
