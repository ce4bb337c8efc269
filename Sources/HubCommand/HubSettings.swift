import Hub
import MicroHTTPD
import Platform

/// What the hub's file says, found to be good.
struct HubSettings {
    let level: LogLevel
    let service: HubConfiguration
    let tls: ServerConfiguration.TLS?

    /// Reads the certificate too. `path` is the file's.
    init(_ file: HubFileConfiguration, _ path: String) throws(ConfigurationError) {
        level = try LogLevel(configured: file.logLevel, in: path)
        service = try file.service(path)
        tls = try file.serverTLS(path)
    }
}
