import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("The hub's verbs while it serves", .serialized, .timeLimit(.minutes(2)))
struct ServiceAdministrationProcessTests {
    private let work: ListName

    init() throws { work = try ListName("work") }

    @Test func listAndTokenMadeWhileServingReachDaemonsThatAreConnected() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            for name in ["anna", "ben"] { try await tandem.reach("live", name) }
            try await tandem.done("anna", "add", "Milk")
            try await tandem.hubCommand("list", "add", "work", "--kind", "contact")
            for name in ["anna", "ben"] {
                try await tandem.done(name, "join", try await tandem.link(name + "-2", lists: ["todo", "work"]))
                let lists = try await tandem.client(name).lists()
                #expect(lists.map(\.name) == [.todo, work])
                #expect(lists.map(\.role) == ["editor", "editor"])
                #expect(lists.map(\.kind.text) == ["todo", "contact"])
            }
            try await tandem.done("anna", "add", "--list", "work", "Ann Smith")
            #expect(try await tandem.converge("anna", "ben", in: work).count == 1)
            #expect(try await tandem.converge("anna", "ben").map { $0[.title] } == ["Milk"])
        }
    }

    @Test func listThatATokenNamesAppearsWhenItIsMadeAgain() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            try await tandem.done("anna", "add", "Milk")
            _ = try await tandem.converge("anna", "ben")
            try await tandem.hubCommand("list", "rm", "--force", "todo")
            for name in ["anna", "ben"] {
                try await eventually("\(name) sees that the list is gone") {
                    _ = try await tandem.tandem(name, "sync")
                    return try await tandem.client(name).lists().first?.role == nil
                }
                // Absence never deletes.
                #expect(try await tandem.values(on: name) == ["Milk"])
            }
            try await tandem.done("ben", "add", "Bread")

            try await tandem.hubCommand("list", "add", "todo")
            for name in ["anna", "ben"] {
                try await eventually("\(name) sees the list") {
                    _ = try await tandem.tandem(name, "sync")
                    return try await tandem.client(name).lists().first?.role == "editor"
                }
            }
            #expect(try await tandem.converge("anna", "ben").map { $0[.title] } == ["Milk", "Bread"])
        }
    }

    @Test func revocationReachesADaemonThatOnlyListens() async throws {
        try await Tandem.with(["anna", "ben"]) { tandem in
            try await tandem.reach("live", "anna")
            try await tandem.hubCommand("token", "revoke", "anna")
            try await tandem.done("ben", "add", "Secret")
            try await tandem.done("ben", "sync")
            try await tandem.reach("auth-required", "anna")
            #expect(try await tandem.client("ben").status().state == "live")
            #expect(try await tandem.hubCommand("token", "ls").text.contains("revoked"))
        }
    }

    @Test func verbsWorkWhileDaemonsPush() async throws {
        try await Tandem.with(["anna"]) { tandem in
            let connection = tandem.client("anna")
            async let pushing: Void = {
                for number in 0..<100 {
                    let edit = EditRequest(set: [.title: .string("Item \(number)")], expectation: .isNew)
                    _ = try await connection.edit(edit, in: .todo)
                }
            }()
            for number in 0..<8 { try await tandem.hubCommand("list", "add", "list-\(number)") }
            try await pushing
            #expect(try await tandem.converge("anna").count == 100)
            let lists = try await tandem.hubCommand("list", "ls").text
            #expect((0..<8).allSatisfy { lists.contains("list-\($0)") })
        }
    }
}
