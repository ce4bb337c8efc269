/// The life of a service process: tells systemd what goes on (sd_notify(3)), reloads on SIGHUP, and returns on SIGTERM
/// or SIGINT.
package struct ServiceLifecycle: Sendable {
    private let notify: ServiceNotify
    private let signals: AsyncStream<Signal>
    private let log: Logger

    /// Takes over the process's signals.
    package init(notify: ServiceNotify? = nil, log: Logger) throws(PlatformError) {
        Signals.ignoreBrokenPipes()
        self.notify = if let notify { notify } else { try ServiceNotify() }
        self.log = log
        signals = try Signals.stream()
    }

    /// Says that the service is ready, and serves signals until one ends it.
    ///
    /// - Parameters:
    ///   - status: one line for `systemctl status`.
    ///   - isHealthy: asked before each sign of life to the watchdog; without one systemd restarts the service.
    ///   - reload: what SIGHUP does.
    package func run(
        status: String, time: any TimeSource = SystemTime(), isHealthy: @escaping @Sendable () async -> Bool,
        reload: @escaping @Sendable () async -> Void
    ) async {
        tell { () throws(PlatformError) in try notify.ready(status: status) }
        await withTaskGroup(of: Void.self) { group in
            if let interval = notify.watchdogInterval {
                group.addTask { await self.watch(every: interval, time, isHealthy) }
            }
            for await signal in signals {
                guard signal == .hangUp else { break }
                tell { () throws(PlatformError) in try notify.reloading() }
                await reload()
                tell { () throws(PlatformError) in try notify.ready(status: status) }
            }
            group.cancelAll()
        }
        tell { () throws(PlatformError) in try notify.stopping() }
    }

    private func watch(
        every interval: Duration, _ time: any TimeSource, _ isHealthy: @Sendable () async -> Bool
    ) async {
        while !Task.isCancelled {
            if await isHealthy() { tell { () throws(PlatformError) in try notify.watchdog() } }
            guard (try? await time.sleep(for: interval)) != nil else { return }  // cancelled
        }
    }

    /// A supervisor that does not listen is no reason to stop.
    private func tell(_ body: () throws(PlatformError) -> Void) {
        do throws(PlatformError) {
            try body()
        } catch {
            log.warning("the supervisor could not be told", ["error": error.message])
        }
    }
}
