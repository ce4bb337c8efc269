import Foundation

/// A program that is not where the build puts it.
package struct MissingProduct: Error, CustomStringConvertible {
    package let path: String

    package var description: String { "no program at \(path); run 'swift build --build-tests' first" }
}

/// The path of an executable product: the build puts it beside the test program, which is this process.
package func builtProduct(_ name: String) throws -> String {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (program as NSString).deletingLastPathComponent + "/" + name
    guard FileManager.default.isExecutableFile(atPath: path) else { throw MissingProduct(path: path) }
    return path
}
