import Glibc
import Glibc
import Hub
import HubStore
import MicroHTTPD
import Platform
import TandemItems

/// `tandem-hub serve`: store, service and server, and their end in the reverse order.
struct Serve {
    let store: String
    let listen: ListenAddress
    let configuration: HubFileConfiguration
    let configurationPath: Directories.ConfigurationPath

    func run() async throws {
        // The whole configuration is judged before the store is touched.
        let settings = try Settings(configuration, configurationPath.path)
        let levels = LevelFilter(StandardErrorSink(), level: settings.level)
        let log = Logger(level: .debug, sink: levels)
        let lifecycle = try ServiceLifecycle(log: log)
        OpenFiles.raiseLimit()  // a connection a live replica
        let lock = try takeLock()
        let storage = try await HubFiles.open(store)
        let service = try await HubService(storage: storage, configuration: settings.service, log: log)
        let endpoint: Endpoint
        do {
            endpoint = try Endpoint(listen, settings, service, log)
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

    private func takeLock() throws -> FileLock {
        do throws(PlatformError) {
            try Files.createDirectory(store, mode: 0o700)
            return try FileLock(path: store + "/lock", program: "tandem-hub")
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            throw CommandError(error.description, hint: "one hub serves a store at a time")
        }
    }

    private func reload(
        _ service: HubService, _ endpoint: Endpoint, _ levels: LevelFilter, _ log: Logger
    ) async {
        do {
            let file = try Configuration.load(HubFileConfiguration.self, from: configurationPath)
            let fresh = try Settings(file, configurationPath.path)
            levels.set(fresh.level)
            service.reconfigure(fresh.service)
            try await endpoint.renew(fresh, log)
            log.notice("reloaded")
        } catch {
            log.error("the configuration is kept as it was", ["error": "\(error)"])
        }
    }
}

/// What the hub's file says, found to be good.
struct Settings {
    let level: LogLevel
    let service: HubConfiguration
    let tls: ServerConfiguration.TLS?

    /// Reads the certificate too. `path` is the file's.
    init(_ file: HubFileConfiguration, _ path: String) throws(ConfigurationError) {
        level = try file.checkedLevel(path)
        service = try file.service(path)
        tls = try file.serverTLS(path)
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

    init(_ asked: ListenAddress, _ settings: Settings, _ service: HubService, _ log: Logger) throws {
        server = try Self.serve(asked, settings, service, log)
        self.service = service
        certificate = settings.tls?.certificate
        let scheme = settings.tls == nil ? "http" : "https"
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
    func renew(_ settings: Settings, _ log: Logger) async throws {
        guard settings.tls?.certificate != certificate, case .tcp = listen else { return }
        await server.stop(deadline: .milliseconds(800))
        server = try Self.serve(listen, settings, service, log)
        certificate = settings.tls?.certificate
    }

    private static func serve(
        _ listen: ListenAddress, _ settings: Settings, _ service: HubService, _ log: Logger
    ) throws -> Server {
        var configuration = ServerConfiguration(listen: listen)
        configuration.tls = settings.tls
        configuration.maximumBodyBytes = settings.service.limits.batchBytes
        configuration.log = { log.warning("http", ["message": $0]) }
        return try Server(configuration: configuration, handler: service)
    }
}

extension ListenAddress {
    /// Reads `ADDRESS:PORT`, an IPv6 address in brackets.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self = .tcp(address: host, port: port)
    }
}
