import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Files that cannot be imported whole", .serialized, .timeLimit(.minutes(2)))
struct BadInputProcessTests {
    /// Imports a file and expects what is told: the refusals with their lines, then the sum.
    private func expectImport(
        _ tandem: Tandem, _ path: String, _ sum: String?, refusals: [(line: Int, words: String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let output = try await tandem.tandem("anna", "import", path)
        #expect(output.exit == .code(refusals.isEmpty ? 0 : 1), "\(output.errors)", sourceLocation: sourceLocation)
        #expect(output.text == (sum.map { $0 + "\n" } ?? ""), "\(output.errors)", sourceLocation: sourceLocation)
        let told = output.errors.split(separator: "\n").filter { $0.hasPrefix(path + ":") }
        #expect(told.count == refusals.count, "\(output.errors)", sourceLocation: sourceLocation)
        for (line, refusal) in zip(told, refusals) {
            #expect(line.hasPrefix("\(path):\(refusal.line): "), "\(line)", sourceLocation: sourceLocation)
            #expect(line.contains(refusal.words), "\(line)", sourceLocation: sourceLocation)
        }
    }

    private func titles(_ tandem: Tandem) async throws -> [JSON] { try await tandem.values(on: "anna") }

    @Test(arguments: [
        ("text.txt", "Buy milk\nBuy bread\n", "this is not JSON: Buy milk"),
        ("page.html", "<!doctype html>\n<p>Hello</p>\n", "this is not JSON: <!doctype html>"),
        ("number.json", "42\n", "a record is a JSON object, this is a number"),
        ("cut.jsonl", #"{"title": "Milk"#, "the file ends within this record"),
        ("empty.jsonl", "", "the file is empty"),
        ("blank.jsonl", "\n\n  \n", "the file is empty"),
        // UTF-16, without a mark.
        ("wide.json", "[\0{\0}\0]\0", "the file is UTF-16 or UTF-32"),
    ])
    func fileWithoutARecordChangesNothing(name: String, text: String, words: String) async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write(name, text)
            let output = try await tandem.tandem("anna", "import", path)
            output.expectFailure(1, "\(path):1: ", words, "nothing was imported", hint: nil)
            #expect(output.text.isEmpty)
            #expect(try await titles(tandem).isEmpty)
        }
    }

    @Test func badLineAmongGoodOnesIsToldAndLeftOut() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write(
                "some.jsonl",
                """
                {"id": "a", "title": "One"}
                {"id": "b", "title": }
                {"id": "c", "title": "Three"}
                {"id": 7, "title": "Four"}
                {"id": "e", "title": "Five"}
                """)
            try await expectImport(
                tandem, path, "imported 3: 3 new, 0 changed, 0 unchanged; 2 refused",
                refusals: [(2, ""), (4, "id")])
            #expect(try await titles(tandem) == ["One", "Three", "Five"])
        }
    }

    @Test func badRecordOfAnArrayIsToldAndLeftOut() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write(
                "some.json",
                """
                [
                  {"id": "a", "title": "One"},
                  {"id": "b", "title": "Two" "done"},
                  {"id": "c", "title": "Three"},
                  "four",
                  {"id": "e", "title": "Five"}
                ]
                """)
            try await expectImport(
                tandem, path, "imported 3: 3 new, 0 changed, 0 unchanged; 2 refused",
                refusals: [(3, ""), (5, "this is a text")])
            #expect(try await titles(tandem) == ["One", "Three", "Five"])
        }
    }

    @Test func byteOrderMarkAndForeignScriptsAreTaken() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let texts = ["👩‍👩‍👧‍👦 Familie", "שלום עולם", "مرحبا", "e\u{301}", "\u{E9}", "日本語", "🏳️‍🌈"]
            let lines = texts.enumerated().map { #"{"id": "\#($0)", "title": "\#($1)"}"# }
            let path = try tandem.write("bom.jsonl", "\u{FEFF}" + lines.joined(separator: "\r\n"))
            try await expectImport(tandem, path, "imported 7: 7 new, 0 changed, 0 unchanged", refusals: [])
            let shown = try await titles(tandem).compactMap { $0.string.map { Array($0.utf8) } }
            #expect(shown == texts.map { Array($0.utf8) }, "kept byte by byte, never normalised")
            try await expectImport(tandem, path, "imported 7: 0 new, 0 changed, 7 unchanged", refusals: [])
            let listed = try await tandem.done("anna", "ls")
            for text in texts { #expect(listed.contains(text)) }
        }
    }

    @Test func controlCharactersAreKeptExactlyAndShownEscaped() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write("nul.jsonl", #"{"id": "a", "title": "nul\u0000 esc\u001b[31m"}"#)
            try await expectImport(tandem, path, "imported 1: 1 new, 0 changed, 0 unchanged", refusals: [])
            #expect(try await titles(tandem) == ["nul\0 esc\u{1B}[31m"])
            for words in [["ls"], ["inspect", "a"]] {
                let output = try await tandem.tandem("anna", words)
                #expect(output.exit == .code(0))
                #expect(!output.text.utf8.contains(0) && !output.text.utf8.contains(0x1B), "\(output.text)")
                #expect(output.text.contains("nul"))
            }
            let exported = try await tandem.done("anna", "export")
            #expect(exported.lowercased().contains(#"nul\u0000 esc\u001b[31m"#))
        }
    }

    @Test func loneSurrogateIsRefusedWithItsLine() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write(
                "lone.jsonl",
                """
                {"id": "a", "title": "One"}
                {"id": "b", "title": "\\ud83d alone"}
                {"id": "c", "title": "\\ud83d\\ude00"}
                """)
            try await expectImport(
                tandem, path, "imported 2: 2 new, 0 changed, 0 unchanged; 1 refused", refusals: [(2, "surrogate")])
            #expect(try await titles(tandem) == ["One", "😀"])
        }
    }

    @Test func bytesThatAreNoUTF8AreRefusedWithTheirLine() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let bad: [UInt8] = Array(#"{"id": "b", "title": "M"#.utf8) + [0xFC] + Array("ll\"}\n".utf8)
            let path = try tandem.write("latin1.jsonl", Array("{\"id\": \"a\", \"title\": \"One\"}\n".utf8) + bad)
            try await expectImport(
                tandem, path, "imported 1: 1 new, 0 changed, 0 unchanged; 1 refused", refusals: [(2, "UTF-8")])
            #expect(try await titles(tandem) == ["One"])
        }
    }

    @Test func noteLargerThanAnItemMayBeIsRefusedWithItsLine() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            let note = String(repeating: "x", count: 2 << 20)
            let path = try tandem.write(
                "large.jsonl",
                """
                {"id": "a", "title": "One"}
                {"id": "b", "title": "Two", "note": "\(note)"}
                {"id": "c", "title": "Three", "note": "\(String(repeating: "y", count: 1_000_000))"}
                {"id": "d", "title": "Four", "note": "\(String(repeating: "z", count: 4 << 20))"}
                {"id": "e", "title": "Five"}
                """)
            try await expectImport(
                tandem, path, "imported 3: 3 new, 0 changed, 0 unchanged; 2 refused",
                refusals: [(2, "1048576"), (4, "larger than")])
            let shown = try await tandem.converge("anna", "ben")
            #expect(shown.map { $0[.title] } == ["One", "Three", "Five"])
        }
    }

    @Test func idThatComesTwiceIsRefusedTheSecondTime() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write(
                "twice.jsonl",
                """
                {"id": "a", "title": "One"}
                {"id": "b", "title": "Two"}

                {"id": "a", "title": "Other"}
                """)
            try await expectImport(
                tandem, path, "imported 2: 2 new, 0 changed, 0 unchanged; 1 refused",
                refusals: [(4, "its id stands on line 1 already: a")])
            #expect(try await titles(tandem) == ["One", "Two"])
        }
    }

    @Test func fileThatCannotBeReadIsToldByItsName() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let missing = tandem.directory + "/missing.jsonl"
            try await tandem.tandem("anna", "import", missing).expectFailure(
                1, missing, "No such file or directory", hint: nil)
            try await tandem.tandem("anna", "import", tandem.directory).expectFailure(
                1, tandem.directory, "Is a directory", hint: nil)
            #expect(try await titles(tandem).isEmpty)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func fileThatMayNotBeReadIsToldByItsName() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write("closed.jsonl", "{}")
            #expect(chmod(path, 0) == 0)
            try await tandem.tandem("anna", "import", path).expectFailure(1, path, "Permission denied", hint: nil)
        }
    }

    @Test func importIntoAListThatIsNotThereChangesNothing() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let path = try tandem.write("one.jsonl", #"{"id": "a", "title": "One"}"#)
            try await tandem.tandem("anna", "import", "--list", "work", path).expectFailure(
                4, "there is no list 'work'", hint: "tandem lists add")
            #expect(try await tandem.client("anna").lists().map(\.name) == [.todo])
        }
    }
}
