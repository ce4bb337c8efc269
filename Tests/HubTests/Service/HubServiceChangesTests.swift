import HTTP
import Hub
import Platform
import TandemItems
import TestSupport
import Testing
import Wire

@Suite("HubService changes", .timeLimit(.minutes(2)))
struct HubServiceChangesTests {
    /// Five items of one version each, 1 to 5.
    private func fill(_ hub: HubServiceFixture) async throws {
        for n in 1...5 { try await hub.push(try mutation("a\(n)", n: Int64(n))) }
    }

    private func expectDiverged(_ cursor: Cursor, _ hub: HubServiceFixture) async throws {
        let response = await hub.service.respond(to: hub.request(.changes(.todo, since: cursor, limit: 9)))
        #expect(response.status == .conflict)
        #expect(Failure(response)?.code == "history-diverged")
        try expectEnvelope(response, hub)
    }

    @Test(arguments: StorageKind.allCases)
    func emptyListHasAPageThatEndsAtZero(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let page = try await hub.page()
            #expect(page.items.isEmpty)
            #expect(page.cursor == Cursor(epoch: Epoch("epoch-1"), sequence: .none, digest: "0"))
            #expect(page.head == .none)
            #expect(try await hub.page(since: page.cursor) == page)
        }
    }

    @Test(arguments: StorageKind.allCases, [1, 2, 3, 5, 6])
    func pagesGiveEachItemOnceInTheOrderOfVersions(kind: StorageKind, limit: Int) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            var cursor: Cursor?
            var versions: [Int64] = []
            repeat {
                let page = try await hub.page(since: cursor, limit: limit)
                #expect(page.items.count <= limit)
                #expect(page.head == Version(5))
                versions += page.items.map(\.version.number)
                cursor = page.cursor
            } while cursor?.sequence != Version(5)
            #expect(versions == [1, 2, 3, 4, 5])
            let whole = try await hub.page(limit: 100)
            #expect(cursor == whole.cursor)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func pageEndsOnceItsBytesAreReached(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind, answerBytes: 1) { hub async throws in
            try await fill(hub)
            var cursor: Cursor?
            for n in 1...5 {
                let page = try await hub.page(since: cursor)
                #expect(page.items.map(\.version.number) == [Int64(n)])
                #expect(page.cursor.sequence == Version(Int64(n)))
                cursor = page.cursor
            }
            #expect(try await hub.page(since: cursor).items.isEmpty)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemThatExactlyFillsAPageIsNotTheLastOne(kind: StorageKind) async throws {
        let size = try await self.size(of: kind)
        try await HubServiceFixture.with(kind, answerBytes: size) { hub async throws in
            try await fill(hub)
            let page = try await hub.page()
            #expect(page.items.map(\.version.number) == [1])
            #expect(page.cursor.sequence == Version(1))
        }
    }

    /// The bytes of an item of `fill`.
    private func size(of kind: StorageKind) async throws -> Int {
        var size = 0
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a1"))
            size = try await hub.page().items.reduce(0) { $0 + $1.json.encoded().count }
        }
        return size
    }

    @Test(arguments: StorageKind.allCases)
    func cursorAtTheHeadGivesAnEmptyPage(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            let cursor = try await hub.page().cursor
            let page = try await hub.page(since: cursor)
            #expect(page == ChangesPage(items: [], cursor: cursor, head: Version(5)))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func firstSyncLeavesOutWhatIsDeletedAndLaterOnesDoNot(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            let before = try await hub.page().cursor
            try await hub.push(try mutation("a2", set: [.deleted: true], base: Version(2), n: 6))
            let first = try await hub.page()
            #expect(first.items.map(\.id.text) == ["a1", "a3", "a4", "a5"])
            #expect(first.cursor.sequence == Version(6))
            let later = try await hub.page(since: before)
            #expect(later.items.map(\.id.text) == ["a2"])
            #expect(later.items.first?.isDeleted == true)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemThatIsDeletedDuringAFirstSyncIsSent(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            try await hub.push(try mutation("a5", set: [.deleted: true], base: Version(5), n: 6))
            let first = try await hub.page(limit: 2)
            #expect(first.items.map(\.id.text) == ["a1", "a2"])
            try await hub.push(try mutation("a1", set: [.deleted: true], base: Version(1), n: 7))
            try await hub.push(try mutation("a6", n: 8))
            let second = try await hub.page(since: first.cursor, limit: 3)
            #expect(second.items.map(\.id.text) == ["a3", "a4", "a1"])
            let third = try await hub.page(since: second.cursor)
            #expect(third.items.map(\.id.text) == ["a6"])
            #expect(third.cursor.sequence == Version(8))
            #expect(third.cursor.firstHead == nil)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func deletedItemsAtTheEndOfAFirstSyncMoveTheCursorPastThem(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            for n in 1...4 {
                let base = Version(Int64(n))
                try await hub.push(try mutation("a\(n)", set: [.deleted: true], base: base, n: Int64(n + 5)))
            }
            let page = try await hub.page(limit: 1)
            #expect(page.items.map(\.id.text) == ["a5"])
            let last = try await hub.page(since: page.cursor, limit: 1)
            #expect(last.items.isEmpty)
            #expect(last.cursor.sequence == Version(9))
        }
    }

    @Test(arguments: StorageKind.allCases)
    func cursorOfAnotherHistoryIsFoundOut(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            let cursor = try await hub.page(limit: 3).cursor
            let (epoch, sequence, digest) = (cursor.epoch, cursor.sequence, cursor.digest)
            try await expectDiverged(Cursor(epoch: Epoch("epoch-2"), sequence: sequence, digest: digest), hub)
            try await expectDiverged(Cursor(epoch: epoch, sequence: sequence.next, digest: digest), hub)
            try await expectDiverged(Cursor(epoch: epoch, sequence: sequence, digest: "0"), hub)
            try await expectDiverged(Cursor(epoch: epoch, sequence: Version(6), digest: digest), hub)
            try await expectDiverged(Cursor(epoch: epoch, sequence: .last, digest: digest), hub)
            try await expectDiverged(Cursor(epoch: epoch, sequence: .none, digest: digest), hub)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func cursorOfALostHistoryIsFoundOutEvenWhenItsSequenceIsReachedAgain(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { lost async throws in
            try await lost.push(try mutation("a", n: 1), try mutation("b", n: 2))
            let cursor = try await lost.page().cursor
            try await HubServiceFixture.with(kind) { restored async throws in
                try await restored.push(try mutation("a", n: 1), try mutation("c", n: 2), try mutation("d", n: 3))
                try await expectDiverged(cursor, restored)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func listThatWasRemovedAndAddedAgainIsAnotherHistory(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            let cursor = try await hub.page().cursor
            try await hub.administration.removeList(.todo)
            try await hub.administration.addList(.todo, kind: .todo)
            try await expectDiverged(cursor, hub)
            #expect(try await hub.page().items.isEmpty)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func replicaThatPagesWhileOthersWriteEndsWithWhatIsThere(kind: StorageKind) async throws {
        let random = SeededRandom(seed: TestSeed.make())
        var generator = random.generator
        try await HubServiceFixture.with(kind, answerBytes: 700) { hub async throws in
            var n: Int64 = 0
            var versions: [String: Int64] = [:]
            /// Writes or deletes one of ten items, having seen it.
            func write(_ generator: inout RandomSourceGenerator) async throws {
                n += 1
                let id = "a\(Int.random(in: 0..<10, using: &generator))"
                let isDelete = Int.random(in: 0..<3, using: &generator) == 0
                let set: FieldMap<JSON> = isDelete ? [.deleted: true] : [.title: .int(n), .deleted: false]
                let base = Version(versions[id] ?? 0)
                versions[id] = try await hub.push(try mutation(id, set: set, base: base, n: n)).versions.first
            }
            for _ in 0..<20 { try await write(&generator) }
            var replica: [ItemID: Item] = [:]
            var cursor: Cursor?
            var writes = 40
            while true {
                let page = try await hub.page(since: cursor, limit: Int.random(in: 1...4, using: &generator))
                #expect(page.cursor.sequence > cursor?.sequence ?? Version(-1) || page.cursor.sequence == page.head)
                for item in page.items where item.version > replica[item.id]?.version ?? .none {
                    replica[item.id] = item
                }
                cursor = page.cursor
                if page.cursor.sequence == page.head, writes == 0 { break }
                let next = min(writes, Int.random(in: 0...3, using: &generator))
                writes -= next
                for _ in 0..<next { try await write(&generator) }
            }
            var (there, end): ([Item], Cursor?) = ([], nil)
            while end != cursor {
                let page = try await hub.page(since: end)
                there += page.items
                end = page.cursor
            }
            #expect(replica.values.filter { !$0.isDeleted }.sorted { $0.version < $1.version } == there)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func trailerCarriesTheEnvelope(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await fill(hub)
            let response = await hub.service.respond(to: hub.request(.changes(.todo, since: nil, limit: 2)))
            try expectEnvelope(response, hub)
            #expect(response.headers["Content-Type"] == MediaType.jsonLines)
        }
    }
}
