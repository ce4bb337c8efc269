import Platform
import Testing

/// A program shaped like the real ones.
private let sample = Command(
    "tandem", "Keep lists the same on every machine",
    options: [
        .flag("json", short: "j", "Write JSON"),
        .value(
            "socket", "PATH",
            "Where the daemon listens (default: what TANDEM_SOCKET says, else a place in XDG_RUNTIME_DIR)"),
    ],
    subcommands: [
        Command(
            "add", "Add an item",
            options: [.value("list", "LIST", short: "l", "The list it goes to")],
            arguments: [
                Command.Argument("TEXT", "What is to be done"),
                Command.Argument("FIELD=VALUE", "More fields", .any),
            ]),
        Command(
            "lists", "Show the lists",
            subcommands: [
                Command(
                    "add", "Add a list",
                    options: [.value("kind", "KIND", "What it holds", choices: ["todo", "contact"])],
                    arguments: [Command.Argument("NAME", "Its name")])
            ], runsAlone: true),
        Command(
            "token", "Add a token", section: "Access",
            options: [
                .value("list", "LIST", "A list it may see", isRepeatable: true), .value("wait", "TIME", "How long"),
                .value("limit", "N", "How many"),
            ],
            arguments: [Command.Argument("NAME", "Whose it is", .optional)],
            discussion: "A token is shown once.\n\n  tandem token me --list todo"),
    ])

private func run(_ words: String...) throws -> Parsed {
    guard case .run(let parsed) = try sample.parse(words) else { throw UsageError("was help", command: "") }
    return parsed
}

private func mistake(_ words: String...) throws -> String {
    try #require(throws: UsageError.self) { try sample.parse(words) }.description
}

@Suite("CommandParser")
struct CommandParserTests {
    @Test func optionsAreTakenInEveryFormAndPlace() throws {
        for words in [
            ["--socket", "/s", "add", "milk", "-l", "shop", "--json"],
            ["--json", "add", "--socket=/s", "--list=shop", "milk"],
            ["add", "milk", "-jlshop", "--socket", "/s"],
            ["-j", "add", "-l=shop", "milk", "--socket=/s"],
        ] {
            guard case .run(let parsed) = try sample.parse(words) else { throw UsageError("was help", command: "") }
            #expect(parsed.verbs == ["add"])
            #expect(parsed.flag("json"))
            #expect(parsed.value("socket") == "/s")
            #expect(parsed.value("list") == "shop")
            #expect(parsed.required("TEXT") == "milk")
            #expect(parsed.arguments("FIELD=VALUE").isEmpty)
        }
    }

    @Test func tailTakesWhatIsLeft() throws {
        let parsed = try run("add", "milk", "a=1", "b=-2", "-3")
        #expect(parsed.required("TEXT") == "milk")
        #expect(parsed.arguments("FIELD=VALUE") == ["a=1", "b=-2", "-3"])
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try run("add", "--", "--json", "-h", "--")
        #expect(parsed.required("TEXT") == "--json")
        #expect(parsed.arguments("FIELD=VALUE") == ["-h", "--"])
        #expect(!parsed.flag("json"))
    }

    @Test func emptyAndDashWordsAreArguments() throws {
        #expect(try run("add", "-").required("TEXT") == "-")
        #expect(try run("add", "").required("TEXT").isEmpty)
        #expect(try run("add", "x", "--list=").value("list")?.isEmpty == true)
        #expect(try run("add", "x", "--list=\u{301}=b").value("list") == "\u{301}=b")
    }

    @Test func verbsNest() throws {
        #expect(try run("lists").verbs == ["lists"])
        let parsed = try run("lists", "add", "home", "--kind", "todo")
        #expect(parsed.verbs == ["lists", "add"])
        #expect(parsed.command == "tandem lists add")
        #expect(parsed.required("NAME") == "home")
    }

    @Test func repeatableOptionKeepsAllValues() throws {
        #expect(try run("token", "--list", "a", "--list=b").values("list") == ["a", "b"])
        #expect(try run("token").values("list").isEmpty)
        #expect(try run("token").argument("NAME") == nil)
    }

    @Test(arguments: [
        (["add", "x", "--jsn"], "tandem add: has no option --jsn\nDid you mean --json?\nSee 'tandem add --help'."),
        (["add", "x", "--zzzzz"], "tandem add: has no option --zzzzz\nSee 'tandem add --help'."),
        (["add", "x", "-z"], "tandem add: has no option -z\nSee 'tandem add --help'."),
        (["ad", "x"], "tandem: has no command 'ad'\nDid you mean 'add'?\nSee 'tandem --help'."),
        (["qqqqq"], "tandem: has no command 'qqqqq'\nIt takes add, lists or token.\nSee 'tandem --help'."),
        ([], "tandem: says no command\nIt takes add, lists or token.\nSee 'tandem --help'."),
        (["add"], "tandem add: needs TEXT: What is to be done\nSee 'tandem add --help'."),
        (["add", "x", "--list"], "tandem add: --list needs a value: LIST\nSee 'tandem add --help'."),
        (
            ["add", "x", "--list", "--json"],
            "tandem add: --list needs a value: LIST\nWrite --list=--json to give it '--json'.\nSee 'tandem add --help'."
        ),
        (["add", "x", "--json=1"], "tandem add: --json takes no value\nSee 'tandem add --help'."),
        (["add", "x", "-l", "a", "-l", "b"], "tandem add: --list is given twice\nSee 'tandem add --help'."),
        (
            ["token", "a", "b"],
            "tandem token: does not know what to do with 'b'\nQuote text that has spaces in it.\n"
                + "See 'tandem token --help'."
        ),
        (
            ["lists", "add", "x", "--kind", "tod"],
            "tandem lists add: --kind takes todo or contact, not 'tod'\nDid you mean 'todo'?\n"
                + "See 'tandem lists add --help'."
        ),
    ])
    func mistakeSaysWhatAndWhatInstead(words: [String], message: String) throws {
        let error = try #require(throws: UsageError.self) { try sample.parse(words) }
        #expect(error.description == message)
        #expect(UsageError.exitCode == 2)
    }

    @Test func mistypedWordCannotReachTheTerminal() throws {
        #expect(try mistake("\u{1B}[2J").contains(#"'\e[2J'"#))
    }

    @Test func typedLookupsConvertOrExplain() throws {
        #expect(try run("token", "--limit", "5").integer("limit") == 5)
        #expect(try run("token").integer("limit") == nil)
        let parsed = try run("token", "--limit", "0", "--wait", "soon")
        #expect(throws: UsageError("--limit takes a whole number of 1 or more, not '0'", command: "tandem token")) {
            try parsed.integer("limit", in: 1...Int.max)
        }
        #expect(throws: UsageError.self) { try parsed.duration("wait") }
        #expect(throws: UsageError("--wait takes a colour, not 'soon'", command: "tandem token")) {
            try parsed.value("wait", "a colour") { _ in Int?.none }
        }
    }

    @Test(
        arguments: [
            ("5", Duration.seconds(5)), ("2.5", .milliseconds(2_500)), ("500ms", .milliseconds(500)),
            ("10s", .seconds(10)),
            ("3m", .seconds(180)), ("1h", .seconds(3_600)), ("0", .zero), ("", nil), ("-1", nil), ("s", nil),
            ("1d", nil),
            ("1e3", nil), ("nan", nil), ("99999999999", nil),
        ] as [(String, Duration?)])
    func durationsAreReadWithTheirUnits(text: String, duration: Duration?) {
        #expect(Duration(argument: text) == duration)
    }
}

@Suite("CommandHelp")
struct CommandHelpTests {
    private func help(_ words: [String], _ terminal: Terminal = .plain) throws -> String {
        guard case .help(let text) = try sample.parse(words, terminal: terminal) else { return "no help" }
        return text
    }

    @Test func helpOfTheProgramListsItsVerbsBySection() throws {
        let expected = """
            tandem: Keep lists the same on every machine

            Usage: tandem [OPTIONS] COMMAND ...

            Commands:
              add                Add an item
              lists              Show the lists

            Access:
              token              Add a token

            Options:
              -j, --json         Write JSON
                  --socket PATH  Where the daemon listens (default: what TANDEM_SOCKET says,
                                 else a place in XDG_RUNTIME_DIR)
              -h, --help         Show this help

            Run 'tandem COMMAND --help' for more about a command.

            """
        for words in [["--help"], ["-h"], ["help"], ["--json", "--help"]] { #expect(try help(words) == expected) }
    }

    @Test func helpOfAVerbHasItsArgumentsAndBothKindsOfOptions() throws {
        let expected = """
            tandem token: Add a token

            Usage: tandem token [OPTIONS] [NAME]

            A token is shown once.

              tandem token me --list todo

            Arguments:
              NAME               Whose it is

            Options:
                  --list LIST    A list it may see (may be repeated)
                  --wait TIME    How long
                  --limit N      How many
              -h, --help         Show this help

            Options of every command:
              -j, --json         Write JSON
                  --socket PATH  Where the daemon listens (default: what TANDEM_SOCKET says,
                                 else a place in XDG_RUNTIME_DIR)

            """
        for words in [["token", "--help"], ["help", "token"], ["token", "x", "-h"]] {
            #expect(try help(words) == expected)
        }
    }

    @Test func commandThatRunsAloneShowsBothForms() throws {
        let text = try help(["lists", "-h"])
        #expect(text.contains("Usage: tandem lists [OPTIONS]\n       tandem lists [OPTIONS] COMMAND ...\n"))
        #expect(try help(["lists", "add", "-h"]).contains("--kind KIND    What it holds: todo, contact\n"))
    }

    @Test(arguments: [60, 72, 80, 100, 200])
    func linesKeepToTheWidthAndToOneThatReadsWell(width: Int) throws {
        let terminal = Terminal(isTerminal: true, width: width, usesStyles: false)
        let longest = try help(["-h"], terminal).split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= min(width, 100))
    }

    @Test func stylesAppearOnlyWhereTheyAreWanted() throws {
        let coloured = try help(["-h"], Terminal(isTerminal: true, width: 80, usesStyles: true))
        #expect(coloured.contains("\u{1B}[1mUsage:\u{1B}[0m tandem"))
        #expect(try !help(["-h"]).contains("\u{1B}"))
    }

    @Test func unknownVerbAfterHelpIsAMistake() {
        #expect(throws: UsageError.self) { try sample.parse(["help", "nothing"]) }
    }
}
