/// The imports of a source file.
enum Imports {
    /// What every target may import beside what is drawn.
    static let systemModules: Set = [
        "Glibc", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Observation", "Testing",
    ]

    /// The modules that a text imports, in every form of the statement: with attributes, an access level, the kind of a
    /// single declaration, several statements on a line. `import struct X.Y` is an import of `X`.
    static func modules(in text: String) -> [String] {
        text.split(separator: "\n").flatMap { $0.split(separator: ";") }.compactMap { statement in
            statement.prefixMatch(of: pattern).map { String($0.1) }
        }
    }

    /// Imports of a target's file that are neither drawn nor of the system.
    static func violations(in file: House.File, manifest: Manifest) -> [String] {
        let components = file.path.split(separator: "/").map(String.init)
        guard components.count > 2, let allowed = manifest.imports[components[1]] else {
            return ["\(file.path) belongs to no target of the manifest"]
        }
        return modules(in: file.text).filter { !allowed.contains($0) && !systemModules.contains($0) }
            .map { "\(file.path) imports \($0), which is not drawn for \(components[1])" }
    }

    nonisolated(unsafe) private static let pattern =
        /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor|macro)\s+)?(\w+)/
}
