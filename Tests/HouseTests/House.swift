import Foundation

/// The package's files as these tests read them, found from the place of this one.
enum House {
    struct File: Sendable {
        /// From the package's root: `Sources/Hub/Hub.swift`.
        let path: String
        let text: String
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The Swift files below a directory, in order of their paths.
    static func swiftFiles(below directory: String) throws -> [File] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: directory).path)
        let names = (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
        return try names.map { File(path: directory + "/" + $0, text: try text(of: directory + "/" + $0)) }
    }

    static func manifest() throws -> Manifest {
        Manifest(text: try text(of: "Package.swift"))
    }

    static func article() throws -> Article {
        Article(text: try text(of: "Sources/TandemItems/TandemItems.docc/Architecture.md"))
    }
}
