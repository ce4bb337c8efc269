import Glibc
import Hub
import HubStore
import MicroHTTPD
import Platform
import TandemItems

/// `tandem-hub serve`: store, service and server, and their end in the reverse order.
struct Serve {
    let store: String
    let listen: String
    let configuration: HubFileConfiguration
    let configurationPath: Directories.ConfigurationPath

    func run() async throws {
        let levels = LevelFilter(StandardErrorSink(), level: try configuration.checkedLevel())
        let log = Logger(level: .debug, sink: levels)
        let lifecycle = try ServiceLifecycle(log: log)
        OpenFiles.raiseLimit()  // a connection a live replica
        let lock: FileLock
        do throws(PlatformError) {
            try Files.createDirectory(store, mode: 0o700)
            lock = try FileLock(path: store + "/lock", program: "tandem-hub")
        } catch {
            throw CommandError(error.description, hint: "one hub serves a store at a time")
        }
        let storage = try await HubFiles.open(store)
        let service = try await HubService(storage: storage, configuration: try configuration.service(), log: log)
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(listen, configuration, service, log)
        } catch {
            await storage.close()
            throw error
        }
        let beating = Task { try await service.run() }  // Ends when it is cancelled below.
        await Address(store).save(endpoint.address)
        log.notice("ready", ["address": endpoint.address, "store": store])
        await lifecycle.run(status: "serves \(endpoint.address)") {
            (try? await storage.read { try $0.epoch() }) != nil  // a store that cannot be read is not healthy
        } reload: {
            await reload(service, endpoint, levels, log)
        }
        log.notice("stopping")
        beating.cancel()
        await endpoint.stop()
        await storage.close()
        withExtendedLifetime(lock) {}
    }

    private func reload(
        _ service: HubService, _ endpoint: Endpoint, _ levels: LevelFilter, _ log: Logger
    ) async {
        do {
            let fresh = try Configuration.load(HubFileConfiguration.self, from: configurationPath)
            levels.set(try fresh.checkedLevel())
            service.reconfigure(try fresh.service())
            try await endpoint.renew(fresh, log)
            log.notice("reloaded")
        } catch {
            log.error("the configuration is kept as it was", ["error": "\(error)"])
        }
    }
}

/// Where the hub listens; made anew when its certificate changes.
actor Endpoint {
    /// The base URL.
    nonisolated let address: String
    private let listen: ListenAddress
    private let service: HubService
    private var server: Server
    private var certificate: String?

    init(_ text: String, _ file: HubFileConfiguration, _ service: HubService, _ log: Logger) throws {
        let tls = try file.serverTLS()
        let asked = try Self.listenAddress(text)
        server = try Self.serve(asked, tls, file, service, log)
        self.service = service
        certificate = tls?.certificate
        let scheme = tls == nil ? "http" : "https"
        guard case .tcp(let host, let port) = asked else {
            listen = asked
            address = "\(scheme)://localhost:\(server.port ?? 0)"
            return
        }
        listen = .tcp(address: host, port: server.port ?? port)
        address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(server.port ?? port)"
    }

    func stop() async { await server.stop(deadline: .milliseconds(800)) }

    /// Listens again with a new certificate, where it is another than before. Clients come back by themselves.
    func renew(_ file: HubFileConfiguration, _ log: Logger) async throws {
        let tls = try file.serverTLS()
        guard tls?.certificate != certificate, case .tcp = listen else { return }
        await server.stop(deadline: .milliseconds(800))
        server = try Self.serve(listen, tls, file, service, log)
        certificate = tls?.certificate
    }

    private static func serve(
        _ listen: ListenAddress, _ tls: ServerConfiguration.TLS?, _ file: HubFileConfiguration, _ service: HubService,
        _ log: Logger
    ) throws -> Server {
        var configuration = ServerConfiguration(listen: listen)
        configuration.tls = tls
        configuration.maximumBodyBytes = try file.service().limits.batchBytes
        configuration.log = { log.warning("http", ["message": $0]) }
        return try Server(configuration: configuration, handler: service)
    }

    private static func listenAddress(_ text: String) throws -> ListenAddress {
        if let inherited = try ListenSockets.inherited().first { return .inherited(descriptor: inherited.descriptor) }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else { throw CommandError("'\(text)' is no address and port", hint: "as in --listen 127.0.0.1:8440") }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return .tcp(address: host, port: port)
    }
}
