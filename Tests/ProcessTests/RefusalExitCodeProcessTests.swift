import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Exit codes", .serialized, .timeLimit(.minutes(2)))
struct RefusalExitCodeProcessTests {
    @Test func mistakesOfTheCommandLineExitWithTwoAndASuggestion() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let mistakes: [(words: [String], said: String)] = [
                (["statsu"], "Did you mean 'status'?"), (["add"], "TEXT"),
                (["ls", "--limt", "3"], "Did you mean --limit?"),
                (["ls", "--limit", "many"], "--limit takes"), (["ls", "--done", "--open"], "not both"),
                (["set", "x"], "FIELD=VALUE"), (["import", "x", "--format", "xml"], "taskwarrior"),
                (["lists", "add", "bad name"], ""), ([], "a command is missing"), (["ls", "a", "b"], "'b'"),
                (["sync", "--timeout", "soon"], "takes a duration"), (["move", "x"], ""), (["resolve", "x"], ""),
            ]
            for (words, said) in mistakes {
                let output = try await tandem.tandem("anna", words)
                #expect(output.exit == .code(2), "\(words): \(output.text)\(output.errors)")
                #expect(output.errors.contains(said), "\(words): \(output.errors)")
                #expect(output.text.isEmpty, "\(words)")
            }
        }
    }

    @Test func daemonThatIsNotThereExitsWithThree() async throws {
        try await Tandem.with { tandem in
            for words in [["status"], ["ls"], ["add", "Milk"], ["sync"], ["watch"], ["join", "x"], ["export"]] {
                let output = try await tandem.tandem("nobody", words)
                output.expectFailure(3, tandem.socket("nobody"), hint: "tandemd")
                #expect(output.text.isEmpty)
            }
        }
    }

    @Test func whatIsNotThereExitsWithFour() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let missing: [[String]] = [
                ["inspect", "nope"], ["done", "nope"], ["rm", "nope"], ["set", "nope", "title=x"],
                ["move", "nope", "--first"], ["ls", "nowhere"], ["add", "--list", "nowhere", "x"],
                ["export", "nowhere"], ["conflicts", "nowhere"], ["resolve", "nope", "--shown"],
                ["quarantine", "retry", "nope"], ["quarantine", "discard", "nope"], ["watch", "nowhere"],
            ]
            for words in missing {
                let output = try await tandem.tandem("anna", words)
                #expect(output.exit == .code(4), "\(words): \(output.text)\(output.errors)")
                #expect(output.errors.contains("hint: "), "\(words): \(output.errors)")
            }
            #expect(try await tandem.count(on: "anna") == 0)
        }
    }

    @Test func syncThatTakesTooLongExitsWithFive() async throws {
        try await Tandem.with(["anna"]) { tandem in
            try await tandem.reachSynced("anna")
            tandem.hub?.kill(SIGSTOP)
            try await tandem.tandem("anna", "sync", "--timeout", "1").expectFailure(
                5, "not synced within 1 s", hint: "tandem status")
            tandem.hub?.kill(SIGCONT)
            try await tandem.tandem("anna", "sync").expectSuccess()
        }
    }

    @Test func syncThatCannotSucceedExitsWithOne() async throws {
        try await Tandem.with(["anna", "ben"], joined: false) { tandem in
            try await tandem.tandem("anna", "sync").expectFailure(1, "belongs to no hub", hint: "tandem join LINK")
            try await tandem.join("ben")
            await tandem.stopHub()
            try await tandem.tandem("ben", "sync").expectFailure(1, "the hub ", hint: "edits are kept")
            // Which is nothing that the daemon's operator should look at.
            #expect(try !tandem.daemon("ben").errorOutput.contains("level=error"))
        }
    }

    @Test func hubsVerbsExitWithTheSameCodes() async throws {
        try await Tandem.with { tandem in
            let hub = tandem.directory + "/hub"
            try await tandem.hubCommand("token", "add", "anna", "--role", "editor", "--list", "todo")
            let cases: [(code: Int32, words: [String], said: String)] = [
                (0, ["--version"], ""), (0, ["--help"], ""), (0, ["list", "ls", "--store", hub], ""),
                (1, ["list", "add", "todo", "--store", hub], "there is a list 'todo' already"),
                (1, ["token", "ls", "--store", hub + "-elsewhere"], "there is no store of a hub in"),
                (1, ["token", "add", "anna", "--role", "reader", "--list", "todo", "--store", hub], "'anna' already"),
                (2, ["serve", "--store", hub, "--listen", "here"], "'here' is no address and port"),
                (2, ["serv"], "Did you mean 'serve'?"), (2, [], "a command is missing"),
                (2, ["list", "rm", "todo", "--store", hub], "--force"),
                (2, ["token", "add", "x", "--role", "king", "--list", "todo", "--store", hub], "reader, editor"),
                (2, ["token", "add", "x", "--list", "todo", "--store", hub], "--role is missing"),
                (2, ["token", "add", "x", "--role", "reader", "--store", hub], "--list is missing"),
                (2, ["list", "add", "bad name", "--store", hub], "name"),
                (4, ["list", "rm", "nowhere", "--force", "--store", hub], "there is no list 'nowhere'"),
                (4, ["token", "revoke", "nobody", "--store", hub], "there is no token 'nobody'"),
                (4, ["token", "add", "x", "--role", "owner", "--list", "no", "--store", hub], "there is no list 'no'"),
            ]
            for (code, words, said) in cases {
                let output = try await tandem.end(of: try tandem.start("tandem-hub", words, "verb"))
                #expect(output.exit == .code(code), "\(words): \(output.text)\(output.errors)")
                #expect(output.errors.contains(said), "\(words): \(output.errors)")
            }
        }
    }

    @Test func helpAndVersionExitWithZero() async throws {
        try await Tandem.with { tandem in
            for program in ["tandem", "tandemd", "tandem-hub"] {
                for word in ["--help", "--version"] {
                    let output = try await tandem.end(of: try tandem.start(program, [word], "help"))
                    #expect(output.exit == .code(0) && output.text.contains(program), "\(output.errors)")
                }
            }
        }
    }
}
