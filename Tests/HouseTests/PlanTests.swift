import Testing

/// The manifest, the drawn plan, the table and the sources say the same.
@Suite("House plan")
struct PlanTests {
    @Test func everyImportIsDrawn() throws {
        let manifest = try House.manifest()
        let files = try House.swiftFiles(below: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap { Imports.violations(in: $0, manifest: manifest) } == [])
    }

    @Test func tableOfTheArticleIsTheManifest() throws {
        #expect(Plan.differences(between: try House.manifest(), and: try House.article()) == [])
    }

    @Test func arrowsPointDown() throws {
        #expect(Plan.misdirectedImports(try House.manifest(), levels: try House.article()) == [])
    }
}

/// Comparisons of the plan's written forms; each returns what is wrong, in words.
enum Plan {
    static func differences(between manifest: Manifest, and article: Article) -> [String] {
        var wrong: [String] = []
        for (target, imports) in manifest.imports.sorted(by: { $0.key < $1.key }) {
            let rows = article.table.filter { $0.target == target }
            if rows.count != 1 { wrong.append("\(target) has \(rows.count) rows in the article") }
            for row in rows where row.imports != imports {
                let names = row.imports.symmetricDifference(imports).sorted()
                wrong.append("\(target): manifest and article disagree on \(names.joined(separator: ", "))")
            }
        }
        let unknown = article.table.map(\.target).filter { manifest.imports[$0] == nil }
        return wrong + unknown.map { "\($0) is in the article and not in the manifest" }
    }

    /// Imports that point up or sideways, and targets that the plan does not draw exactly once.
    static func misdirectedImports(_ manifest: Manifest, levels article: Article) -> [String] {
        var wrong: [String] = []
        let levels = Dictionary(article.plan.map { ($0.target, $0.level) }) { first, _ in first }
        for name in Set(manifest.imports.keys).union(manifest.imports.values.joined()).sorted() {
            let count = article.plan.count { $0.target == name }
            if count != 1 { wrong.append("\(name) is drawn \(count) times") }
        }
        for (target, imports) in manifest.imports.sorted(by: { $0.key < $1.key }) {
            for name in imports.sorted() {
                guard let from = levels[target], let to = levels[name], to >= from else { continue }
                wrong.append("\(target) (level \(from)) imports \(name) (level \(to))")
            }
        }
        return wrong
    }
}
