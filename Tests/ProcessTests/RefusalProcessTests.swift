import HTTP
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing
import Wire

@Suite("Rights that are refused", .serialized, .timeLimit(.minutes(2)))
struct RefusalProcessTests {
    @Test func readerIsRefusedAnEdit() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            try await tandem.join("anna", role: "reader")
            try await tandem.tandem("anna", "add", "Milk").expectFailure(
                1, "this machine may read the list 'todo', not change it", hint: "a token with the role 'editor'")
            #expect(try await tandem.count(on: "anna") == 0)
            #expect(try await tandem.client("anna").status().pending == 0)
        }
    }

    @Test func readerSeesWhatEditorsDoAndCannotChangeIt() async throws {
        try await Tandem.with(["anna", "ben"], joined: false) { tandem in
            try await tandem.join("anna", role: "reader")
            try await tandem.join("ben")
            try await tandem.done("ben", "add", "Milk")
            let id = try #require(try await tandem.converge("ben", "anna").first?.id.text)
            for words in [["done", id], ["set", id, "title=Beer"], ["rm", id], ["move", id, "--first"]] {
                let output = try await tandem.tandem("anna", words)
                #expect(output.exit == .code(1), "\(words): \(output.text)\(output.errors)")
            }
            #expect(try await tandem.values(on: "anna") == ["Milk"])
            #expect(try await tandem.client("anna").status().pending == 0)
        }
    }

    @Test func hubRefusesAReadersPush() async throws {
        try await Tandem.with { tandem in
            let link = try JoinLink(try await tandem.link("spy", role: "reader"))
            let response = try await tandem.push(title: "Beer", token: link.token)
            #expect(response.status.code == 403, "\(String(decoding: response.bytes, as: UTF8.self))")
            #expect(try JSON(parsing: response.bytes).object?["code"] == "forbidden")
            #expect(try await tandem.push(title: "Beer", token: "tdm_wrong").status.code == 401)
            #expect(try await tandem.push(title: "Beer", token: nil).status.code == 401)
            #expect(try await tandem.hubCommand("list", "ls", "--json").text.contains(#""head":0"#))
        }
    }

    @Test func editsWaitForANewTokenWhereTheOldOneIsRevoked() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            try await tandem.done("anna", "add", "Before")
            _ = try await tandem.converge("anna", "ben")
            try await tandem.hubCommand("token", "revoke", "anna")
            try await tandem.done("anna", "add", "Between")
            try await tandem.reach("auth-required", "anna")
            try await tandem.done("anna", "add", "Later")
            let status = try await tandem.client("anna").status()
            #expect(status.pending == 2)
            #expect(status.problem?.code == "unauthorized")
            #expect(status.problem?.message.contains("revoked") == true)
            #expect(status.problem?.hint?.contains("tandem join LINK") == true)
            try await tandem.tandem("anna", "sync").expectFailure(1, "revoked", hint: "new join link")
            #expect(try await tandem.values(on: "anna") == ["Before", "Between", "Later"])

            try await tandem.done("anna", "join", try await tandem.link("anna-2"))

            let shown = try await tandem.converge("anna", "ben")
            #expect(shown.map { $0[.title] } == ["Before", "Between", "Later"])
        }
    }

    @Test func editsWaitWhileTheTokenMayOnlyRead() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            tandem.proxy.become(.cut)
            try await tandem.reach("offline", "anna")
            try await tandem.done("anna", "add", "Kept")
            let reading = try await tandem.link("anna-reads", role: "reader")
            try await tandem.hubCommand("token", "revoke", "anna")
            tandem.proxy.become(.fair)
            try await tandem.done("anna", "join", reading)
            try await eventually("anna's problem is told") {
                try await tandem.client("anna").status().problem?.code == "forbidden"
            }
            #expect(try await tandem.client("anna").status().pending == 1)
            try await tandem.tandem("anna", "add", "More").expectFailure(1, "may read", hint: "'editor'")
            try await tandem.done("anna", "join", try await tandem.link("anna-edits"))
            #expect(try await tandem.converge("anna", "ben").map { $0[.title] } == ["Kept"])
        }
    }
}
