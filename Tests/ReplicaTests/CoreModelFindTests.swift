import Platform
import Replica
import Sync
import TandemItems
import Testing

@Suite("Finding items by parts of their ids")
struct CoreModelFindTests {
    private let model: CoreModel

    init() throws {
        model = CoreModel(storage: try MemoryReplicaStorage(new: NewStore(name: "here")), time: ManualTime())
    }

    private func add(_ ids: String...) async throws {
        for id in ids {
            let edit = Edit(item: try ItemID(id), set: [.title: .string(id)])
            _ = try await model.edit(edit, in: .todo)
        }
    }

    private func find(_ text: String) async throws -> String { try await model.inspect(text).item.id.text }

    private func failure(_ text: String) async -> ModelError.Code? {
        await #expect(throws: ModelError.self) { try await find(text) }?.code
    }

    private let minted = "01a22ceb-d592-799e-8f7f-5086e10975aa"
    private let other = "01a22ceb-d592-799e-8f7f-5086e10913fe"

    @Test func endOfAMintedIDFindsIt() async throws {
        try await add(minted, other)
        #expect(try await find("75aa") == minted)
        #expect(try await find("10913fe") == other)
        #expect(try await find(minted) == minted)
        #expect(await failure("01a2") == .ambiguous)
        #expect(await failure("5aa") == .noSuchItem)
    }

    @Test func endOfAnotherIDDoesNot() async throws {
        try await add("buy-the-milk")
        #expect(await failure("milk") == .noSuchItem)
        #expect(try await find("buy") == "buy-the-milk")
    }

    @Test func whatFitsABeginningAndAnEndIsAmbiguous() async throws {
        try await add(minted, "75aa-note")
        #expect(await failure("75aa") == .ambiguous)
        #expect(try await find("975aa") == minted)
        #expect(try await find("75aa-") == "75aa-note")
    }

    @Test func wholeIDWinsOverAllElse() async throws {
        try await add(minted, "75aa", "75aa-note")
        #expect(try await find("75aa") == "75aa")
    }

    @Test func shownItemWinsOverADeletedOne() async throws {
        let twin = "99999999-d592-799e-8f7f-5086e10975aa"
        try await add(minted, twin)
        _ = try await model.edit(Edit(item: try ItemID(twin), set: [.deleted: true]), in: .todo)
        #expect(try await find("75aa") == minted)
        #expect(try await find("99999999") == twin)
    }

    @Test func emptyTextFindsNothing() async throws {
        try await add(minted)
        #expect(await failure("") == .noSuchItem)
    }
}
