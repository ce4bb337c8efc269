@testable import ClientCommand
import Platform
import TandemClient
import Testing

@Suite("FieldAssignment")
struct CommandInputTests {
    private static let values: [(String, String, JSON)] = [
        ("due=2026-12-24", "due", "2026-12-24"), ("n=3", "n", 3), ("n=-3", "n", -3), ("n=2.5", "n", 2.5),
        ("on=true", "on", true), ("off=false", "off", false), ("gone=null", "gone", nil),
        (#"phone="0123""#, "phone", "0123"), ("zip=01234", "zip", "01234"), (#"tags=["a",1]"#, "tags", ["a", 1]),
        (#"place={"x":1}"#, "place", ["x": 1]), ("note=[urgent] call", "note", "[urgent] call"),
        (#"note={"broken":"#, "note", #"{"broken":"#), ("note=", "note", ""), ("note= 3", "note", " 3"),
        ("formula=a=b", "formula", "a=b"), ("big=92233720368547758079", "big", "92233720368547758079"),
        ("tags/home=true", "tags/home", true), ("é=é", "é", "é"), ("say=True", "say", "True"),
    ]

    private func assignment(_ word: String) throws -> FieldAssignment {
        try FieldAssignment(word, parsed("set", "id", word))
    }

    @Test(arguments: Self.values) func valuesAreJSONOrText(_ word: String, _ name: String, _ value: JSON) throws {
        #expect(try assignment(word) == .set(try FieldName(name), value))
    }

    @Test(arguments: ["title", "name"]) func titlesAndNamesStayTexts(_ name: String) throws {
        let field = try FieldName(name)
        #expect(try assignment("\(name)=2024") == .set(field, "2024"))
        #expect(try assignment("\(name)=true") == .set(field, "true"))
        #expect(try assignment(#"\#(name)="quoted""#) == .set(field, "quoted"))
        #expect(try assignment("\(name)=null") == .set(field, nil))
    }

    @Test func countersAreAddedTo() throws {
        let amount = try FieldName("amount")
        #expect(try assignment("amount+=2") == .add(amount, 2))
        #expect(try assignment("amount-=2") == .add(amount, -2))
        #expect(try assignment("amount+=-2") == .add(amount, -2))
    }

    @Test(arguments: ["amount", "=3", "amount+=", "amount+=x", "amount+=1.5", "amount-=-9223372036854775808", ""])
    func wordsThatSayNothingAreMistakes(_ word: String) {
        #expect(throws: UsageError.self) { try assignment(word) }
    }

    @Test func fieldsStandOnce() throws {
        var edit = EditRequest()
        let words = try parsed("set", "id", "a=1", "b+=2")
        try edit.apply(words.arguments("FIELD=VALUE"), words)
        #expect(try edit.set == [FieldName("a"): 1])
        #expect(try edit.increments == [FieldName("b"): 2])
        #expect(throws: UsageError.self) { try edit.apply(["a+=1"], words) }
    }

    @Test func fieldNamesFollowTheirRule() {
        #expect(throws: InvalidItem.self) { try assignment("a\u{7}=1") }
    }
}

@Suite("Errors and help of tandem")
struct CommandHelpTests {
    private static let exitCodes: [(String, Int32)] = [
        (DaemonError.unreachable, 3), ("no-such-item", 4), ("no-such-list", 4), ("no-such-conflict", 4),
        ("no-such-entry", 4), ("timed-out", 5), ("ambiguous", 1), ("read-only-list", 1),
        (DaemonError.interrupted, 1), (DaemonError.unexpectedAnswer, 1),
    ]

    @Test(arguments: Self.exitCodes) func errorsHaveTheirExitCodes(_ code: String, _ exitCode: Int32) {
        let report = ErrorReport.of(DaemonError(code: code, "what", hint: "do"))
        #expect(report?.exitCode == exitCode && report?.message == "what" && report?.hint == "do")
    }

    @Test func namesThatBreakTheirRuleAreUsage() {
        #expect(ErrorReport.of(InvalidItem(.listName, "no list name"))?.exitCode == 2)
    }

    @Test(arguments: Tandem.verbs.map(\.words)) func everyVerbHasHelpWithAnExample(_ words: String) throws {
        let request = try Tandem.command.parse(words.split(separator: " ").map(String.init) + ["--help"])
        guard case .help(let text) = request else { throw UsageError("was no help", command: words) }
        #expect(text.hasPrefix("tandem \(words): "))
        #expect(text.contains("\n  tandem \(words)") || text.contains("| tandem \(words)"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 }, "lines fit a terminal")
    }

    @Test func everyDeclaredVerbIsImplemented() {
        var words: [String] = []
        func visit(_ command: Command, _ path: String) {
            if command.runsAlone { words.append(path) }
            for verb in command.subcommands { visit(verb, path.isEmpty ? verb.name : path + " " + verb.name) }
        }
        visit(Tandem.command, "")
        #expect(Set(words) == Set(Tandem.verbs.map(\.words) + [""]))
    }

    @Test(arguments: ["status", "lists", "ls", "inspect", "conflicts", "quarantine", "quarantine list", "watch"])
    func readingVerbsOfferJSON(_ words: String) throws {
        let id = words == "inspect" ? ["id"] : []
        guard
            case .run(let parsed) = try Tandem.command.parse(
                words.split(separator: " ").map(String.init) + id + ["--json"])
        else { throw UsageError("was help", command: words) }
        #expect(parsed.flag("json"))
    }
}
