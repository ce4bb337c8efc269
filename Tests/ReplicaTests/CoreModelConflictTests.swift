import Platform
import Sync
import TandemItems
import Testing

/// Conflicts and quarantine, and how a person ends them.
struct CoreModelConflictTests {
    /// A store with an open conflict on the title of `a`: `mine` is shown, `theirs` kept.
    private func conflicted(_ bench: ModelBench, _ id: String = "a", nonce: String = "theirs") async throws
        -> ConflictID
    {
        try await bench.join()
        try await bench.edit(id, [.title: "mine"])
        try bench.hub.write(id, [.title: "theirs"], at: 0)
        try await bench.push()
        return try #require(try await bench.shown(id).conflicts.first?.id)
    }

    @Test(arguments: StorageKind.allCases, [Resolution.shown, .other, .value("third")])
    func aConflictIsSettledByOneEdit(_ kind: StorageKind, _ resolution: Resolution) async throws {
        try await withModel(kind) { bench in
            let conflict = try await conflicted(bench)
            #expect(try await bench.model.conflicts().map(\.item.id.text) == ["a"])
            #expect(try await bench.model.lists().first?.counts.conflicts == 1)
            let expected: JSON =
                switch resolution {
                case .shown: "mine"
                case .other: "theirs"
                case .value(let value): value
                }
            let (list, edited) = try await bench.model.resolve(String(conflict.text.prefix(4)), resolution)
            #expect(list == .todo)
            #expect(edited.item[.title] == expected)
            #expect(try await bench.model.conflicts().isEmpty)
            try await bench.push()
            #expect(try bench.hub.item("a")?[.title] == expected)
            #expect(try bench.hub.item("a")?.conflicts == [])
        }
    }

    @Test(arguments: StorageKind.allCases, [(Resolution.shown, false), (.other, true)])
    func aDeletionThatLostIsSettledBothWays(_ kind: StorageKind, _ way: (Resolution, Bool)) async throws {
        try await withModel(kind) { bench in
            try await bench.join()
            try bench.hub.write("a", [.title: "x"])
            try await bench.pull()
            try bench.hub.write("a", [.title: "edited"])
            try await bench.edit("a", [.deleted: true])
            #expect(try await bench.ids() == [])
            try await bench.push()
            #expect(try await bench.ids() == ["a"])
            let conflict = try #require(try await bench.shown("a").conflicts.first)
            #expect(conflict.field == .deleted && conflict.value == true)
            _ = try await bench.model.resolve(conflict.id.text, way.0)
            try await bench.push()
            #expect(try bench.hub.item("a")?.isDeleted == way.1)
            #expect(try bench.hub.item("a")?.conflicts == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func aPrefixMustFitOneConflict(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            var item = try makeItem("a", conflicts: 3)
            item.conflicts[2].id = ConflictID("c")
            let stored = item
            try await bench.storage.write { try $0.put([stored]) }
            #expect(await modelError { _ = try await bench.model.resolve("", .shown) }?.code == .noSuchConflict)
            #expect(await modelError { _ = try await bench.model.resolve("d", .shown) }?.code == .noSuchConflict)
            _ = try await bench.model.resolve("c1", .shown)
            try await bench.storage.write { try $0.put([stored], in: .todo) }
            // Given whole it wins over those that it begins.
            _ = try await bench.model.resolve("c", .other)
            try await bench.storage.write { try $0.put([try makeItem("b", conflicts: 2)], in: .todo) }
            #expect(await modelError { _ = try await bench.model.resolve("c", .other) }?.code == .ambiguous)
            try await bench.storage.write { store in
                for id in ["a", "b"] { try store.put([try makeItem(id, version: 9)]) }
                for mutation in try store.pending(of: ItemID("a"), in: .todo) {
                    try store.removePending(mutation.n, in: .todo)
                }
            }
        }
    }

    @Test(arguments: StorageKind.allCases) func conflictsAreFoundByList(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let other = try ListName("other")
            try await bench.storage.add(other)
            try await bench.storage.put([try makeItem("a", conflicts: 1)])
            try await bench.storage.put([try makeItem("b", conflicts: 1)], in: other)
            #expect(try await bench.model.conflicts().map(\.item.id.text) == ["a", "b"])
            #expect(try await bench.model.conflicts(in: other).map(\.item.id.text) == ["b"])
        }
    }

    /// A store with one refused edit, and its name.
    private func refused(_ bench: ModelBench, _ id: String = "bad") async throws -> String {
        try await bench.edit(id, [.title: "x"], increments: [try FieldName("count"): 2])
        let sent = try await bench.pending()
        let answer = PushAnswer(outcomes: [.refused(Refusal(code: "no", message: "because"))], items: [])
        _ = try await bench.model.apply(answer, to: sent, in: .todo)
        return sent[0].nonce.text
    }

    @Test(arguments: StorageKind.allCases) func aRefusedEditIsTriedAnew(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let name = try await refused(bench)
            #expect(try await bench.ids() == [])
            try await bench.model.retryQuarantined(String(name.prefix(5)))
            #expect(try await bench.model.quarantined() == [])
            let again = try await bench.pending()
            #expect(again.map(\.nonce.text) != [name])
            #expect(again.map(\.n) == [2])
            #expect(try await bench.shown("bad")[.title] == "x")
            #expect(try await bench.shown("bad")[try FieldName("count")] == 2)
        }
    }

    @Test(arguments: StorageKind.allCases) func whatCannotBeTriedAnewStaysInQuarantine(_ kind: StorageKind) async throws
    {
        try await withModel(kind) { bench in
            let name = try await refused(bench)
            try await bench.storage.write { store in
                var record = try store.record()
                record.limits.itemBytes = 4
                try store.put(record)
            }
            #expect(await modelError { try await bench.model.retryQuarantined(name) }?.code == .invalid)
            #expect(try await bench.model.quarantined().count == 1)
            #expect(try await bench.pending() == [])
        }
    }

    @Test(arguments: StorageKind.allCases) func aRefusedEditIsGivenUpAloud(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            let name = try await refused(bench)
            #expect(await modelError { _ = try await bench.model.discardQuarantined("") }?.code == .noSuchEntry)
            #expect(await modelError { _ = try await bench.model.discardQuarantined("!") }?.code == .noSuchEntry)
            #expect(try await bench.model.discardQuarantined(name).mutation.set == [.title: "x"])
            #expect(try await bench.model.quarantined() == [])
            #expect(await modelError { try await bench.model.retryQuarantined(name) }?.code == .noSuchEntry)
        }
    }

    @Test(arguments: StorageKind.allCases) func aPrefixMustFitOneEntry(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.storage.write { store in
                for n in [1, 12] as [Int64] { try store.put(try makeQuarantined(n)) }
            }
            #expect(await modelError { _ = try await bench.model.discardQuarantined("nonce") }?.code == .ambiguous)
            #expect(try await bench.model.discardQuarantined("nonce-12").mutation.n == 12)
            #expect(try await bench.model.discardQuarantined("nonce").mutation.n == 1)
        }
    }

    @Test(arguments: StorageKind.allCases) func anEntryGivenWholeWinsOverLongerOnes(_ kind: StorageKind) async throws {
        try await withModel(kind) { bench in
            try await bench.storage.write { store in
                for n in [1, 12] as [Int64] { try store.put(try makeQuarantined(n)) }
            }
            #expect(try await bench.model.discardQuarantined("nonce-1").mutation.n == 1)
        }
    }
}
