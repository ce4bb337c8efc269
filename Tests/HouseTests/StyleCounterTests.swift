import Testing

/// Proof that each check of the style fails on what it is for, and passes what only looks like it.
@Suite("House style, counter-tests")
struct StyleCounterTests {
    private func file(_ text: String) -> House.File {
        House.File(path: "Tests/A/B.swift", text: text)
    }

    @Test func fileOf401LinesIsFound() {
        #expect(Style.tooLong(file(String(repeating: "x\n", count: 400))) == [])
        #expect(Style.tooLong(file(String(repeating: "x\n", count: 401))) == ["Tests/A/B.swift has 401 lines"])
    }

    @Test(arguments: [
        "// TO" + "DO: more", "let x = try" + "! call()", "x as" + "! String", "/// FIX" + "ME", "// XX" + "X",
        "fatalError(\"un" + "implemented\")",
    ])
    func forbiddenWordIsFoundWithItsLine(line: String) {
        let found = Style.forbiddenWords(file("let a = 1\n\(line)\n"))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Tests/A/B.swift:2 has ") == true)
    }

    @Test(arguments: [
        "let kind = \"todo\"", "class Class" + "!", "let TO" + "DOS = 1", "entry" + "!", "fatalError(\"x\")",
    ])
    func wordThatOnlyLooksForbiddenPasses(line: String) {
        #expect(Style.forbiddenWords(file(line)) == [])
    }

    @Test(arguments: [
        "try await Task" + ".sleep(for: .seconds(1))", "usleep" + "(10)", "Thread" + ".sleep(1)", "  sleep" + "(1)",
        "_ = sleep" + "(1)", "nanosleep" + "(&t, nil)", "ContinuousClock()" + ".sleep(until: x)",
    ])
    func sleepIsFound(line: String) {
        #expect(Style.sleeps(file(line)).count == 1)
    }

    @Test(arguments: ["try await time.sleep(for: .seconds(1))", "func sleep(for duration: Duration)", "asleep(1)"])
    func sleepOfAPassedInTimePasses(line: String) {
        #expect(Style.sleeps(file(line)) == [])
    }

    @Test func strangerAtTheTopLevelIsFound() {
        let entries = ["Package.swift", "Sources", "Tests", "Config", "scripts", ".git"]
        #expect(Style.misplaced(topLevel: entries) == [])
        #expect(Style.misplaced(topLevel: entries + ["README.md"]) == [])
        #expect(Style.misplaced(topLevel: entries + ["Docs"]) == ["Docs is not allowed"])
        #expect(Style.misplaced(topLevel: entries.filter { $0 != "Config" }) == ["Config is missing"])
    }
}
