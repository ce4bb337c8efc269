import Hub
import MicroHTTPD
import Platform
import TandemItems

/// `tandem-hub.json5`.
struct HubFileConfiguration: ConfigurationFile {
    struct TLS: Decodable {
        var certificate: String
        var key: String
    }

    struct FileLimits: Decodable {
        var itemBytes: Int?
        var batchMutations: Int?
        var batchBytes: Int?
    }

    var listen: String?
    var store: String?
    var name: String?
    var tls: TLS?
    var limits: FileLimits?
    var logLevel: String?

    static let allowedKeys = [
        "listen", "store", "name", "tls.certificate", "tls.key", "limits.itemBytes", "limits.batchMutations",
        "limits.batchBytes", "logLevel",
    ]

    /// What the service is to know. Throws where a limit is out of its range.
    func service(_ path: String) throws(ConfigurationError) -> HubConfiguration {
        var bounds = Limits()
        bounds.itemBytes = limits?.itemBytes ?? bounds.itemBytes
        bounds.batchMutations = limits?.batchMutations ?? bounds.batchMutations
        bounds.batchBytes = limits?.batchBytes ?? bounds.batchBytes
        guard (1_024...Limits.Bounds.itemBytes.upperBound).contains(bounds.itemBytes),
            Limits.Bounds.batchMutations.contains(bounds.batchMutations),
            ((bounds.itemBytes + 65_536)...Limits.Bounds.batchBytes.upperBound).contains(bounds.batchBytes)
        else {
            throw ConfigurationError(
                path: path, key: "limits",
                message: "is to be: itemBytes 1024 to 16777216, batchMutations 1 to 10000, "
                    + "batchBytes itemBytes + 65536 to 67108864")
        }
        return HubConfiguration(name: name ?? "Tandem hub", limits: bounds)
    }

    /// Certificate and key, read now.
    func serverTLS(_ path: String) throws(ConfigurationError) -> ServerConfiguration.TLS? {
        guard let tls else { return nil }
        let text = { (key: String, file: String) throws(ConfigurationError) in
            do throws(PlatformError) {
                return String(decoding: try Files.read(file, maximumBytes: 1 << 20), as: UTF8.self)
            } catch {
                throw ConfigurationError(path: path, key: key, message: error.description)
            }
        }
        return .init(
            certificate: try text("tls.certificate", tls.certificate), key: try text("tls.key", tls.key))
    }
}
