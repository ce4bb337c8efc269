import Foundation
import Testing

/// What swift-format does not check.
@Suite("House style")
struct StyleTests {
    private func allFiles() throws -> [House.File] {
        try House.swiftFiles(below: "Sources") + House.swiftFiles(below: "Tests")
    }

    @Test func filesAreShort() throws {
        #expect(try allFiles().flatMap(Style.tooLong) == [])
    }

    @Test func nothingIsLeftUndoneOrForced() throws {
        #expect(try allFiles().flatMap(Style.forbiddenWords) == [])
    }

    @Test func testsDoNotSleep() throws {
        let files = try House.swiftFiles(below: "Tests").filter { !$0.path.hasPrefix("Tests/TestSupport/") }
        #expect(files.flatMap(Style.sleeps) == [])
    }

    @Test func topLevelHoldsWhatItShould() throws {
        let entries = try FileManager.default.contentsOfDirectory(atPath: House.root.path)
        #expect(Style.misplaced(topLevel: entries) == [])
    }
}

/// Checks of single files; each returns what is wrong, in words.
enum Style {
    static let maximumLines = 400

    static func tooLong(_ file: House.File) -> [String] {
        let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        return count > maximumLines ? ["\(file.path) has \(count) lines"] : []
    }

    /// The words are put together here so that this file does not hold them.
    static func forbiddenWords(_ file: House.File) -> [String] {
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "try" + "!", "as" + "!", "fatalError(\"un" + "impl"]
        return find(words, in: file) { "\(file.path):\($0) has \($1)" }
    }

    /// Waiting for a while instead of for something. `sleep(for:)` of a `TimeSource` that is passed in is no such wait.
    static func sleeps(_ file: House.File) -> [String] {
        let calls =
            ["Task", "Thread", "ContinuousClock()", "SuspendingClock()", "SystemTime()"].map { $0 + ".sleep" } + [
                "usleep" + "(", "nanosleep" + "(",
            ]
        let bare = ["sleep" + "("]
        let found = find(calls, in: file) { "\(file.path):\($0) calls \($1)" }
        return found + find(bare, in: file, isFollowedByDigit: true) { "\(file.path):\($0) calls \($1)" }
    }

    static func misplaced(topLevel entries: [String]) -> [String] {
        let required: Set = ["Package.swift", "Sources", "Tests", "Config", "scripts"]
        let visible = Set(entries.filter { !$0.hasPrefix(".") })
        let extra = visible.subtracting(required).subtracting(["README.md"]).sorted().map { "\($0) is not allowed" }
        return extra + required.subtracting(visible).sorted().map { "\($0) is missing" }
    }

    private static func find(
        _ words: [String], in file: House.File, isFollowedByDigit: Bool = false, _ message: (Int, String) -> String
    ) -> [String] {
        var found: [String] = []
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for word in words where holds(line, word, isFollowedByDigit: isFollowedByDigit) {
                found.append(message(index + 1, word))
            }
        }
        return found
    }

    /// Whether a line has the word where a word begins; one of letters alone also where it ends. A call with a digit
    /// as its first argument counts only when it is no method.
    private static func holds(_ line: Substring, _ word: String, isFollowedByDigit: Bool) -> Bool {
        line.ranges(of: word).contains { range in
            let before = line[..<range.lowerBound].last ?? " "
            let after = line[range.upperBound...].first ?? " "
            guard !before.isLetter, !before.isNumber, before != "_" else { return false }
            if isFollowedByDigit { return before != "." && after.isNumber }
            return !word.allSatisfy(\.isLetter) || !after.isLetter
        }
    }
}
