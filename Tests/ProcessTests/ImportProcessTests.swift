import Foundation
import TandemClient
import TandemItems
import TestSupport
import Testing

/// A file that Taskwarrior 2.6 wrote, on its way over two machines.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ImportProcessTests {
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Samples/taskwarrior-2.6-export.json").path

    @Test func whatIsImportedHereIsExportedThereAsItCame() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            #expect(try await tandem.done("a", "import", Self.sample) == "imported 8: 8 new, 0 changed, 0 unchanged\n")
            let items = try await tandem.converge("a", "b")
            let umlauts = try #require(items.first { $0.id.text.hasPrefix("ab1c634b") })
            #expect(umlauts[.title] == "Überweisung Miete → Konto 42")
            #expect(umlauts[.client] == "Ö & Söhne" && umlauts[.estimate] == 2.5)
            let exported = try await tandem.done("b", "export", "--format", "taskwarrior")
            #expect(Self.byID(try Self.records(exported)) == Self.byID(try Self.inputRecords()))
        }
    }

    @Test func importingAgainChangesNothingOnEitherMachine() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            try await tandem.done("a", "import", Self.sample)
            let before = try await tandem.converge("a", "b")
            for name in ["a", "b"] {
                let text = try await tandem.done(name, "import", Self.sample)
                #expect(text == "imported 8: 0 new, 0 changed, 8 unchanged\n")
            }
            #expect(try await tandem.converge("a", "b") == before)
        }
    }

    @Test func importingOnTwoMachinesThatAreApartDoublesNothing() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            try await tandem.cut("a", "b")
            try await tandem.done("a", "import", Self.sample)
            try await tandem.done("b", "import", Self.sample)
            tandem.heal()
            let items = try await tandem.converge("a", "b")
            #expect(items.count == 8 && items.conflicts.isEmpty)
        }
    }

    @Test func aListOfTwentyThousandArrivesWhole() async throws {
        try await Tandem.with(["a", "b"]) { tandem in
            let records = try Self.many(20_000)
            let path = tandem.directory + "/many.json"
            try Data(JSON.array(records).encoded()).write(to: URL(filePath: path))
            let clock = ContinuousClock()
            let start = clock.now
            let text = try await tandem.done("a", "import", path)
            #expect(text == "imported 20000: 20000 new, 0 changed, 0 unchanged\n")
            let imported = clock.now
            try await eventually(within: .seconds(120), "b has all of it") {
                let lists = try await tandem.client("b").lists()
                return try await tandem.client("b").status().isSynced && lists.first?.items == 20_000
            }
            let arrived = clock.now
            let exported = try await tandem.done("b", "export", "--format", "taskwarrior")
            print(
                "20 000 tasks: imported in \(imported - start), there after \(arrived - start),",
                "exported in \(clock.now - arrived)")
            #expect(Self.byID(try Self.records(exported)) == Self.byID(records))
        }
    }

    private static func inputRecords() throws -> [JSON] {
        try records(String(decoding: try Data(contentsOf: URL(filePath: sample)), as: UTF8.self))
    }

    private static func records(_ text: String) throws -> [JSON] { try JSON(parsing: text).array ?? [] }

    private static func byID(_ records: [JSON]) -> [String: JSON] {
        Dictionary(records.map { ($0.object?["uuid"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The sample's tasks again and again, with uuids of their own.
    private static func many(_ count: Int) throws -> [JSON] {
        let sample = try inputRecords()
        return try (0..<count).map { number in
            var task = try #require(sample[number % sample.count].object)
            task["uuid"] = .string(UUID().uuidString.lowercased())
            return .object(task)
        }
    }
}
