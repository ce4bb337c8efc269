/// The tables `house` and `programs` of a manifest, read from its text.
struct Manifest {
    /// What each target may import.
    let imports: [String: Set<String>]

    init(imports: [String: Set<String>]) {
        self.imports = imports
    }

    init(text: String) {
        let code = text.split(separator: "\n").map {
            $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex)
        }
        .joined(separator: "\n")
        let house = Self.table("house", in: code).matches(of: /\(\s*"(\w+)"\s*,\s*\[([^\]]*)\]/)
        let programs = Self.table("programs", in: code).matches(of: /\(\s*"[\w-]+"\s*,\s*"(\w+)"\s*,\s*\[([^\]]*)\]/)
        let rows = house.map { ($0.1, $0.2) } + programs.map { ($0.1, $0.2) }
        imports = rows.reduce(into: [:]) { result, row in
            result[String(row.0)] = Set(row.1.matches(of: /"(\w+)"/).map { String($0.1) })
        }
    }

    /// From `let name:` to the bracket that closes the table at the beginning of a line.
    private static func table(_ name: String, in code: String) -> Substring {
        guard let start = code.firstRange(of: "let \(name):")?.upperBound else { return "" }
        let end = code[start...].firstRange(of: "\n]")?.lowerBound ?? code.endIndex
        return code[start..<end]
    }
}
