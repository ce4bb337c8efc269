import Foundation

/// Runs a test's body with a directory of its own, removed afterwards whether the body returns or throws.
///
/// The name is short because Unix socket paths, which end at 107 bytes, are made below it.
package func withTemporaryDirectory<Result>(
    _ body: (_ path: String) async throws -> Result
) async throws -> Result {
    let path = "/tmp/tandem-test-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer {
        // A directory that cannot be removed is litter below /tmp, no reason to fail a test that passed.
        try? FileManager.default.removeItem(atPath: path)
    }
    return try await body(path)
}
