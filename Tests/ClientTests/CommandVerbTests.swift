@testable import ClientCommand
import Platform
import Sync
import TandemClient
import Testing

@Suite("Verbs of tandem")
struct CommandVerbTests {
    private func makeDaemon(_ titles: String...) async throws -> CommandDaemon {
        let daemon = try CommandDaemon()
        for title in titles { _ = try await daemon.run("add", title) }
        return daemon
    }

    @Test func addedItemIsListed() async throws {
        let daemon = try await makeDaemon()
        #expect(try await daemon.run("ls").output == "todo is empty; add something: tandem add TEXT\n")
        let added = try await daemon.run("add", "Buy milk", "due=2026-12-24", "tags/shop=true")
        #expect(added.output.hasPrefix("added: Buy milk (") && added.output.hasSuffix(" in todo)\n") && added.code == 0)
        let id = try await daemon.id("Buy milk")
        #expect(
            try await daemon.run("ls").output == """
                ID         TITLE     TAGS  DUE
                \(id)  [ ]  Buy milk  shop  2026-12-24

                1 item, 0 done, only on this machine

                """)
    }

    @Test func editsGoToTheItemThatTheShortIDNames() async throws {
        let daemon = try await makeDaemon("One", "Two", "Three")
        let (one, two) = (try await daemon.id("One"), try await daemon.id("Two"))
        #expect(try await daemon.run("done", one, two).output.split(separator: "\n").count == 2)
        #expect(try await daemon.run("done", one).output.hasPrefix("done already: One ("))
        #expect(try await daemon.run("done", "--undo", one).output.hasPrefix("open again: One ("))
        #expect(try await daemon.run("set", two, "title=Second", "points=3").output.hasPrefix("changed: Second ("))
        #expect(try await daemon.run("set", two, "points+=4").code == 0)
        #expect(try await daemon.run("move", two, "--first").output.hasPrefix("moved: Second ("))
        #expect(try await daemon.run("move", one, "--after", try await daemon.id("Three")).code == 0)
        #expect(try await daemon.run("rm", try await daemon.id("Three")).output.hasPrefix("deleted: Three ("))
        let items = try await daemon.model.items(in: .todo)
        #expect(items.map(\.heading) == ["Second", "One"])
        #expect(items[0][try FieldName("points")] == 7)
        #expect(items.map { $0[.isCompleted] } == [true, false])
    }

    @Test func nothingIsChangedUnlessAllIDsAreFound() async throws {
        let daemon = try await makeDaemon("One")
        let outcome = try await daemon.run("rm", try await daemon.id("One"), "nowhere")
        #expect(outcome.code == 4 && outcome.errors == "there is no item 'nowhere'")
        #expect(try await daemon.model.items(in: .todo).count == 1)
    }

    @Test func deletedItemIsBroughtBack() async throws {
        let daemon = try await makeDaemon("One")
        let id = try await daemon.id("One")
        _ = try await daemon.run("rm", id)
        #expect(try await daemon.run("set", id, "note=x").code == 4)
        #expect(try await daemon.run("inspect", id).output.contains("deleted here; only here"))
        #expect(try await daemon.run("set", id, "deleted=false").code == 0)
        #expect(try await daemon.model.items(in: .todo).count == 1)
    }

    @Test func listsAreAddedAndHaveTheirMainField() async throws {
        let daemon = try await makeDaemon()
        #expect(
            try await daemon.run("lists", "add", "friends", "--kind", "contact").output
                == "added the list 'friends' (contact)\n")
        #expect(try await daemon.run("add", "-l", "friends", "Ann", "phone=0123").code == 0)
        #expect(try await daemon.run("ls", "friends").output.hasPrefix("ID    NAME  PHONE\n"))
        #expect(try await daemon.run("lists").output.contains("friends  contact      1          0\n"))
        #expect(try await daemon.run("lists", "add", "friends").code == 1)
        #expect(try await daemon.run("ls", "nope").code == 4)
        #expect(try await daemon.run("ls", "no such").code == 2)
    }

    @Test func filtersSortAndLimitAreAskedFor() async throws {
        let daemon = try await makeDaemon("Apples", "Pears", "More apples")
        _ = try await daemon.run("done", try await daemon.id("Apples"))
        func titles(_ words: String...) async throws -> [String] {
            let lines = try await runTandem(["ls", "--json"] + words, daemon.connection).output.split(separator: "\n")
            return try lines.map { try Item(json: JSON(parsing: String($0))).heading }
        }
        #expect(try await titles() == ["Apples", "Pears", "More apples"])
        #expect(try await titles("--open") == ["Pears", "More apples"])
        #expect(try await titles("--done") == ["Apples"])
        #expect(try await titles("--filter", "APPLES", "--sort=-title") == ["More apples", "Apples"])
        #expect(try await titles("--limit", "1") == ["Apples"])
        #expect(try await daemon.run("ls", "--filter", "plums").output == "nothing in todo fits\n")
        #expect(try await daemon.run("ls", "--done", "--open").code == 2)
    }

    @Test func jsonIsTheAPIsOwn() async throws {
        let daemon = try await makeDaemon("One")
        let id = try await daemon.id("One")
        let report = try await daemon.connection.inspect(id)
        #expect(try await daemon.run("inspect", id, "--json").output == report.json.text + "\n")
        #expect(try await daemon.run("status", "--json").output == daemon.connection.status().json.text + "\n")
        #expect(try await daemon.run("conflicts", "--json").output == #"{"conflicts":[]}"# + "\n")
        #expect(try await daemon.run("quarantine", "--json").output == #"{"quarantined":[]}"# + "\n")
        let lists = try await daemon.connection.lists().map(\.json)
        #expect(try await daemon.run("lists", "--json").output == JSON.object(["lists": .array(lists)]).text + "\n")
    }

    @Test func nothingToDoIsSaid() async throws {
        let daemon = try await makeDaemon()
        #expect(try await daemon.run("conflicts").output == "no conflicts\n")
        #expect(try await daemon.run("quarantine").output == "nothing is in quarantine\n")
        #expect(try await daemon.run("quarantine", "discard", "x").code == 4)
        #expect(try await daemon.run("resolve", "x", "--shown").code == 4)
        #expect(try await daemon.run("leave").code == 1)
    }

    @Test(arguments: [
        ["resolve", "x"], ["resolve", "x", "--shown", "--other"], ["move", "x"], ["move", "x", "--first", "--last"],
        ["add", "x", "n+=1"], ["add", "x", "title=y"], ["set", "x"], ["set", "x", "--base", "-1", "a=1"],
        ["sync", "--timeout", "soon"], ["export", "--format", "csv"], ["ls", "--limit", "-1"],
    ]) func mistakesAreUsage(_ words: [String]) async throws {
        let daemon = try await makeDaemon()
        #expect(try await runTandem(words, daemon.connection).code == 2)
    }

    @Test func daemonThatIsNotThereHasItsCode() async throws {
        let connection = DaemonConnection(socket: "/tmp/tandem-nobody-listens-here.sock")
        let outcome = try await runTandem(["status"], connection)
        #expect(outcome.code == 3 && outcome.errors.contains("/tmp/tandem-nobody-listens-here.sock"))
    }
}
