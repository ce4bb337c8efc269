import Hub
import HubStore
import Platform
import Sodium
import TandemItems

/// The hub's store as its commands open it.
enum HubFiles {
    /// Opens the store, made where it is missing.
    static func open(_ directory: String) async throws -> SQLiteHubStorage {
        try await SQLiteHubStorage(directory: directory) { Epoch(Hex.encode(RandomBytes.make(16))) }
    }

    /// Runs a body with the store, and closes it. A store that is missing is an error unless it is to be made: an empty
    /// one in the wrong place would only seem to answer.
    static func with<Value>(
        _ directory: String, makingIt: Bool = false, _ body: (SQLiteHubStorage) async throws -> Value
    ) async throws -> Value {
        guard makingIt || Files.exists(directory + "/hub.sqlite") else {
            throw CommandError(
                "there is no store of a hub in \(directory)",
                hint: "name its directory with --store; 'tandem-hub serve' and 'tandem-hub list add' make a new one")
        }
        let storage = try await open(directory)
        do {
            let value = try await body(storage)
            await storage.close()
            return value
        } catch {
            await storage.close()
            throw error
        }
    }

    /// Runs a body with what the operator can do, while the hub serves or not.
    static func administer<Value>(
        _ directory: String, makingIt: Bool = false, _ body: (HubAdministration) async throws -> Value
    ) async throws -> Value {
        try await with(directory, makingIt: makingIt) { try await body(HubAdministration(storage: $0)) }
    }
}

/// The address that a serving hub was last reached at, for the join links that are made beside it.
struct Address {
    private let path: String

    init(_ store: String) { path = store + "/address" }

    /// The address; the default one where no hub has served the store yet.
    var text: String {
        // No file, or none that can be read: links can be given another address.
        guard let bytes = try? Files.read(path, maximumBytes: 1_024) else { return "http://127.0.0.1:8440" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func save(_ address: String) {
        // Without the file links carry the default address, and can be given another: no reason not to serve.
        try? Files.write(Array(address.utf8), to: path, mode: 0o644)
    }
}
