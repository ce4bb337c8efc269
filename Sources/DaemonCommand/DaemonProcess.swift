import Daemon
import Glibc
import MicroHTTPD
import Platform
import Remote
import Replica
import Sync

/// The daemon put together: store, model, sync, local API, and their end in the reverse order.
struct DaemonProcess {
    let store: String
    let configuration: DaemonConfiguration
    let listen: ListenAddress
    let configurationPath: Directories.ConfigurationPath

    func run() async throws {
        let level = try LogLevel(configured: configuration.logLevel, in: configurationPath.path)
        let levels = LevelFilter(StandardErrorSink(), level: level)
        let log = Logger(level: .debug, sink: levels)
        let lifecycle = try ServiceLifecycle(log: log)
        var tuning = SyncTuning()
        tuning.poll = try configuration.checkedPollInterval(configurationPath.path)
        let (storage, model) = try await openStore(log)
        let driver = SyncDriver(model: model, tuning: tuning, log: log) { membership, record in
            RemoteHub.connect(membership, as: record.replica, named: record.name)
        }
        let service = DaemonService(
            model: model, driver: driver,
            identity: .init(
                store: store, version: Program.version, user: geteuid(), isOpenToGroup: configuration.socketGroup != nil
            ),
            log: log)
        let server: Server
        do {
            server = try Server(configuration: serverConfiguration(log), handler: service)
        } catch {
            await storage.close()
            throw error
        }
        let syncing = Task {  // Ends when it is cancelled below.
            do { try await driver.run() } catch { log.error("the sync has ended", ["error": "\(error)"]) }
        }
        let watching = Task { for await _ in NetworkChanges.stream() { await driver.networkChanged() } }  // As above.
        log.notice("ready", ["store": store])
        await lifecycle.run(status: "keeps \(store)") {
            (try? await model.record()) != nil  // a store that cannot be read is not healthy, whatever the reason
        } reload: {
            reload(levels, log)
        }
        log.notice("stopping")
        watching.cancel()
        syncing.cancel()
        await server.stop(deadline: .milliseconds(500))
        await syncing.value
        await storage.close()
    }

    private func openStore(_ log: Logger) async throws -> (SQLiteReplicaStorage, CoreModel) {
        let identity = MachineIdentity.current()
        let machine = identity.machine ?? identity.hostName
        let new = NewStore(name: identity.hostName, machine: machine, path: store)
        let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
            directory: store, new: new, now: SystemTime().now)
        if let salvage {
            log.error(
                "the store was damaged and has been set aside",
                [
                    "kept_at": salvage.directory, "pending_saved": salvage.pending.count,
                    "losses": salvage.losses.count,
                ])
        }
        let model = CoreModel(storage: storage)
        if try await model.recognize(machine: machine, path: store) {
            log.warning("this store is a copy: it has a replica id of its own now and keeps its edits")
        }
        return (storage, model)
    }

    private func serverConfiguration(_ log: Logger) -> ServerConfiguration {
        var server = ServerConfiguration(listen: listen)
        server.maximumBodyBytes = 8 << 20
        server.log = { log.warning("http", ["message": $0]) }
        return server
    }

    private func reload(_ levels: LevelFilter, _ log: Logger) {
        do {
            let fresh = try Configuration.load(DaemonConfiguration.self, from: configurationPath)
            levels.set(try LogLevel(configured: fresh.logLevel, in: configurationPath.path))
            log.notice("reloaded: the log level; other settings are read at the start")
        } catch {
            log.error("the configuration is kept as it was", ["error": "\(error)"])
        }
    }
}
