import Testing

/// Proof that each check of the plan fails on what it is for.
@Suite("House plan, counter-tests")
struct PlanCounterTests {
    private let manifest = Manifest(
        text: """
            let house: [(target: String, imports: [String])] = [
                // a remark with ("Comment", ["Nothing"])
                ("Items", []),
                ("Store", ["CStore", "Items"]),
            ]

            let programs: [(product: String, target: String, imports: [String])] = [
                (
                    "the-program", "Program",
                    ["Items",
                     "Store"]
                ),
            ]

            let other = [("Elsewhere", ["Items"])]
            """)

    private func article(plan: String = standardPlan, table: String = standardTable) -> Article {
        Article(text: "# Title\n```\n\(plan)\n```\n| Target | Purpose | May import |\n|---|---|---|\n\(table)\n")
    }

    private static let standardPlan = "2 programs  Program (the-program)\n1 parts     Store · Items (pure)\n0 C  CStore"
    private static let standardTable =
        "| Items | x | |\n| Store | x, y | CStore, Items |\n| Program | x | Items, Store |"

    @Test func tablesOfTheManifestAreRead() {
        #expect(manifest.imports == ["Items": [], "Store": ["CStore", "Items"], "Program": ["Items", "Store"]])
    }

    @Test(arguments: [
        "import Bad", "  import Bad", "package import Bad", "public import Bad", "private import Bad",
        "fileprivate import Bad", "internal import Bad", "@testable import Bad", "@preconcurrency import Bad",
        "@_spi(Inner) @testable package import Bad", "import struct Bad.Type", "private import func Bad.call",
        "import Bad // remark", "import Glibc; import Bad", "@_exported import Bad", "import Bad.Submodule",
    ])
    func undrawnImportIsFoundInEveryForm(statement: String) {
        let file = House.File(path: "Sources/Store/File.swift", text: "import Items\n\(statement)\nlet x = 1\n")
        #expect(
            Imports.violations(in: file, manifest: manifest) == [
                "Sources/Store/File.swift imports Bad, which is not drawn for Store"
            ])
    }

    @Test func commentsAndNamesAreNoImports() {
        #expect(Imports.modules(in: "// import Bad\nlet important = 1\nimportBad()\n/// import Bad") == [])
    }

    @Test func fileOutsideOfEveryTargetIsFound() {
        let file = House.File(path: "Sources/Unknown/File.swift", text: "")
        #expect(Imports.violations(in: file, manifest: manifest).count == 1)
    }

    @Test func articleThatAgreesPasses() {
        #expect(Plan.differences(between: manifest, and: article()) == [])
    }

    @Test(arguments: [
        ("| Items | x | |\n| Store | x | CStore |\n| Program | x | Items, Store |", "disagree on Items"),
        ("| Items | x | |\n| Store | x | CStore, Items |", "Program has 0 rows"),
        (standardTable + "\n| Items | x | |", "Items has 2 rows"),
        (standardTable + "\n| Cellar | x | |", "Cellar is in the article"),
    ])
    func articleThatDisagreesIsFound(table: String, message: String) {
        let wrong = Plan.differences(between: manifest, and: article(table: table))
        #expect(wrong.count == 1)
        #expect(wrong.first?.contains(message) == true)
    }

    @Test func sidewaysImportIsFound() {
        #expect(Plan.misdirectedImports(manifest, levels: article()) == ["Store (level 1) imports Items (level 1)"])
    }

    @Test(arguments: [
        ("3 a  Items\n2 b  Program\n1 c  Store\n0 C  CStore", "Store (level 1) imports Items (level 3)"),
        ("3 a  Program\n2 b  Store\n0 C  CStore", "Items is drawn 0 times"),
        ("3 a  Program · Store\n2 b  Store\n1 c  Items\n0 C  CStore", "Store is drawn 2 times"),
    ])
    func planThatIsDrawnWrongIsFound(plan: String, message: String) {
        #expect(Plan.misdirectedImports(manifest, levels: article(plan: plan)).contains(message))
    }

    @Test func planThatIsDrawnRightPasses() {
        let plan = "3 a  Program\n2 b  Store\n1 c  Items\n0 C  CStore"
        #expect(Plan.misdirectedImports(manifest, levels: article(plan: plan)) == [])
    }
}
