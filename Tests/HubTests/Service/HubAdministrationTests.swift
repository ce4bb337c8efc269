import HTTP
import Hub
import Platform
import TandemItems
import Testing
import Wire

@Suite(.timeLimit(.minutes(2)))
struct HubAdministrationTests {
    private func expectFailure(
        _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            let failure = error as? Failure
            #expect(failure?.status == status && failure?.code == code, "\(error)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func listIsAddedOnceAndRemovedWithAllItHolds(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let administration = hub.administration
            try await hub.push(try mutation("a"))
            await expectFailure(409, "list-exists") { try await administration.addList(.todo, kind: .todo) }
            #expect(try await administration.lists().map(\.name.text) == ["other", "todo"])
            try await administration.removeList(.todo)
            await expectFailure(404, "no-such-list") { try await administration.removeList(.todo) }
            #expect(try await administration.lists().map(\.name.text) == ["other"])
            try await administration.addList(.todo, kind: ListKind("contact"))
            #expect(try await administration.lists().last == HubList(name: .todo, kind: ListKind("contact")))
            #expect(try await hub.push(try mutation("b")).versions == [1])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func tokenNamesStandOnce(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let administration = hub.administration
            await expectFailure(409, "token-exists") {
                _ = try await administration.addToken("editor", role: .reader, lists: [.todo])
            }
            try await administration.revokeToken("editor")
            await expectFailure(409, "token-exists") {
                _ = try await administration.addToken("editor", role: .reader, lists: [.todo])
            }
            await expectFailure(404, "no-such-token") { try await administration.revokeToken("nobody") }
            await expectFailure(404, "no-such-list") {
                _ = try await administration.addToken("new", role: .reader, lists: [try ListName("missing")])
            }
            #expect(try await administration.tokens().map(\.name) == ["editor", "reader"])
            #expect(try await administration.tokens().map(\.isRevoked) == [true, false])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func secretIsNotStored(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let secret = try await hub.administration.addToken("new", role: .owner, lists: [.todo])
            #expect(secret.hasPrefix("tdm_"))
            #expect(secret.utf8.count == 36)
            let token = try #require(try await hub.administration.tokens().first { $0.name == "new" })
            #expect(token.hash == TokenSecret.hash(secret))
            #expect(token.created.milliseconds == hub.time.now)
            #expect(token.expires == nil)
            #expect(try await hub.contents().allSatisfy { !$0.contains(secret) })
        }
    }

    @Test(arguments: StorageKind.allCases)
    func tokenWorksUntilItsLifetimeEnds(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let secret = try await hub.administration.addToken(
                "guest", role: .editor, lists: [.todo], lifetime: .seconds(60))
            hub.time.advance(by: .milliseconds(59_999))
            #expect(try await hub.push(try mutation("a"), token: secret).versions == [1])
            hub.time.advance(by: .milliseconds(1))
            #expect(await hub.service.respond(to: hub.request(.hello, token: secret)).status == .unauthorized)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func ownerMayWhatAnEditorMay(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let owner = try await hub.administration.addToken("owner", role: .owner, lists: [.todo])
            #expect(try await hub.push(try mutation("a"), token: owner).versions == [1])
        }
    }
}
