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
        let settings = try HubSettings(configuration, configurationPath.path)
        let levels = LevelFilter(StandardErrorSink(), level: settings.level)
        let log = Logger(level: .debug, sink: levels)
        let lifecycle = try ServiceLifecycle(log: log)
        OpenFiles.raiseLimit()  // a connection a live replica
        let lock = try takeLock()
        let storage = try await HubFiles.open(store)
        let service = try await HubService(storage: storage, configuration: settings.service, log: log)
        let endpoint: HubEndpoint
        do {
            endpoint = try HubEndpoint(listen, settings, service, log)
        } catch {
            await storage.close()
            throw error
        }
        let beating = Task { try await service.run() }  // Ends when it is cancelled below.
        Address(store).save(endpoint.address)
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
        _ service: HubService, _ endpoint: HubEndpoint, _ levels: LevelFilter, _ log: Logger
    ) async {
        do {
            let file = try Configuration.load(HubFileConfiguration.self, from: configurationPath)
            let fresh = try HubSettings(file, configurationPath.path)
            try await endpoint.renew(fresh, log)
            levels.set(fresh.level)
            service.reconfigure(fresh.service)
            log.notice("reloaded")
        } catch {
            log.error("the configuration is kept as it was", ["error": "\(error)"])
        }
    }
}
