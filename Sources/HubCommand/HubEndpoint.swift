import Hub
import MicroHTTPD
import Platform
import TandemItems

/// Where the hub listens; made anew when its certificate or the size of a push changes.
actor HubEndpoint {
    /// The base URL.
    nonisolated let address: String
    private let listen: ListenAddress
    private let service: HubService
    private var server: Server
    private var settings: HubSettings

    init(_ asked: ListenAddress, _ settings: HubSettings, _ service: HubService, _ log: Logger) throws {
        server = try Self.serve(asked, settings, service, log)
        self.service = service
        self.settings = settings
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

    /// Listens again where that needs another server than before. Clients come back by themselves. Where it cannot be
    /// done, goes on as before and throws why.
    func renew(_ fresh: HubSettings, _ log: Logger) async throws {
        guard fresh.needsOtherServer(than: settings), case .tcp = listen else { return }
        await server.stop(deadline: .milliseconds(800))
        do {
            server = try Self.serve(listen, fresh, service, log)
            settings = fresh
        } catch {
            server = try Self.serve(listen, settings, service, log)
            throw error
        }
    }

    private static func serve(
        _ listen: ListenAddress, _ settings: HubSettings, _ service: HubService, _ log: Logger
    ) throws -> Server {
        var configuration = ServerConfiguration(listen: listen)
        configuration.tls = settings.tls
        configuration.maximumBodyBytes = settings.service.limits.batchBytes
        configuration.log = { log.warning("http", ["message": $0]) }
        return try Server(configuration: configuration, handler: service)
    }
}

extension HubSettings {
    fileprivate func needsOtherServer(than other: HubSettings) -> Bool {
        tls?.certificate != other.tls?.certificate || tls?.key != other.tls?.key
            || service.limits.batchBytes != other.service.limits.batchBytes
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
