import Foundation
import Platform
import Testing

/// The keys that the hub's commented example shows.
private struct HubExample: ConfigurationFile {
    struct Limits: Decodable {
        let itemBytes: Int
        let batchMutations: Int
        let batchBytes: Int
    }

    var listen: String?
    var name: String?
    var limits: Limits?
    var logLevel: String?

    static let allowedKeys = [
        "listen", "store", "name", "tls.certificate", "tls.key", "limits.itemBytes", "limits.batchMutations",
        "limits.batchBytes", "logLevel",
    ]
}

/// The keys that the daemon's commented example shows.
private struct DaemonExample: ConfigurationFile {
    var pollInterval: Int?
    var logLevel: String?

    static let allowedKeys = ["store", "socket", "socketGroup", "pollInterval", "logLevel"]
}

@Suite("Example configurations")
struct ExampleConfigurationTests {
    private func text(of name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Config/" + name), encoding: .utf8)
    }

    /// The example with its optional lines switched on: those that are a key behind a comment sign.
    private func uncommented(_ text: String) -> String {
        text.replacing(/\/\/ (\w+: .*,)\n/) { "\($0.1)\n" }
    }

    @Test func exampleOfTheHubIsRead() throws {
        let text = try text(of: "tandem-hub.json5")
        for text in [text, uncommented(text)] {
            let file = try Configuration.decode(HubExample.self, from: Array(text.utf8), path: "tandem-hub.json5")
            #expect(file.listen == "127.0.0.1:8440")
            #expect(file.limits?.itemBytes == 1 << 20)
            #expect(file.limits?.batchBytes == 4 << 20)
            #expect(file.logLevel != nil)
            #expect(try LogLevel(configured: file.logLevel, in: "example") == .info)
        }
        #expect(uncommented(text).contains("\n    tls: {"))
    }

    @Test func exampleOfTheDaemonIsRead() throws {
        let text = try text(of: "tandemd.json5")
        for text in [text, uncommented(text)] {
            let file = try Configuration.decode(DaemonExample.self, from: Array(text.utf8), path: "tandemd.json5")
            #expect(file.pollInterval == 30)
            #expect(file.logLevel != nil)
            #expect(try LogLevel(configured: file.logLevel, in: "example") == .info)
        }
        #expect(uncommented(text).contains("\n    socketGroup: "))
    }
}
