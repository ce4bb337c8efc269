import Hub
import TandemItems
import Testing

/// Items by version and by id: what changes and manifests are made of.
@Suite(.timeLimit(.minutes(2)))
struct HubStoragePageTests {
    /// Versions 1 to 6: `a` is written twice (1, 5), `gone` is deleted at 4, `kept` deleted at 6 with an open conflict.
    private func fill(_ storage: any HubStorage) async throws {
        try await storage.write { hub in
            try hub.accept(mutation("a", n: 1))
            try hub.accept(mutation("gone", n: 2))
            try hub.accept(mutation("b", n: 3))
            try hub.accept(mutation("gone", set: [.deleted: true], base: Version(2), n: 4))
            try hub.accept(mutation("a", set: [.title: "again"], base: Version(1), n: 5))
            let kept = try mutation("kept", set: [.deleted: true], by: "r2")
            try hub.accept(kept) { item in
                let origin = Origin(version: Version(6), replica: kept.replica, n: 1, at: kept.at)
                item.conflicts = [
                    Conflict(id: ConflictID("c"), field: .title, value: "x", origin: origin, opened: Version(6))
                ]
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func eachItemIsOnceAtItsLatestVersion(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                #expect(try hub.page() == ["b", "a", "kept"])
                let versions = try hub.items(
                    in: .todo, after: .none, through: Version(9), limit: 9, maximumBytes: 9_999, tombstonesAfter: .none
                ).map(\.version.number)
                #expect(versions == [3, 4, 5, 6])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func tombstonesComeOnlyWhenAskedForOrWithAnOpenConflict(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                #expect(try hub.page(tombstones: true) == ["b", "gone", "a", "kept"])
                #expect(try hub.page(tombstones: false) == ["b", "a", "kept"])
                #expect(try hub.liveIDs() == ["a", "b", "kept"])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func tombstonesComeOnlyPastTheirBound(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                let versions = { (bound: Int64, through: Int64) in
                    try hub.items(
                        in: .todo, after: .none, through: Version(through), limit: 9, maximumBytes: 9_999,
                        tombstonesAfter: Version(bound)
                    ).map(\.version.number)
                }
                #expect(try versions(3, 6) == [3, 4, 5, 6])
                #expect(try versions(4, 6) == [3, 5, 6])
                #expect(try versions(9, 6) == [3, 5, 6])
                #expect(try versions(3, 3) == [3])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func itemBecomesLiveAgain(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.write { hub in
                try hub.accept(mutation("gone", set: [.deleted: false], base: Version(5), n: 6))
            }
            #expect(try await storage.read { try $0.liveIDs() } == ["a", "b", "gone", "kept"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func rangeLeavesOutItsStartAndTakesItsEnd(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                #expect(try hub.page(after: 3, through: 5, tombstones: true) == ["gone", "a"])
                #expect(try hub.page(after: 3, through: 3, tombstones: true) == [])
                #expect(try hub.page(after: 5, through: 3, tombstones: true) == [])
                #expect(try hub.page(after: 6, tombstones: true) == [])
                #expect(try hub.page(after: 2, through: 3) == ["b"])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func limitBoundsThePage(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                #expect(try hub.page(limit: 2, tombstones: true) == ["b", "gone"])
                #expect(try hub.page(limit: 2) == ["b", "a"])
                #expect(try hub.page(limit: 0) == [])
                #expect(try hub.page(limit: 4, tombstones: true).count == 4)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func pageEndsWithTheItemThatReachesTheBytes(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            let sizes = try await storage.read { hub throws in
                try hub.items(
                    in: .todo, after: .none, through: Version(9), limit: 9, maximumBytes: .max, tombstonesAfter: .none
                ).map(\.json.count)
            }
            try await storage.read { hub throws in
                #expect(try hub.page(maximumBytes: 0, tombstones: true) == ["b"])
                #expect(try hub.page(maximumBytes: 1, tombstones: true) == ["b"])
                #expect(try hub.page(maximumBytes: sizes[0], tombstones: true) == ["b"])
                #expect(try hub.page(maximumBytes: sizes[0] + 1, tombstones: true) == ["b", "gone"])
                #expect(try hub.page(maximumBytes: sizes.reduce(0, +) + 1, tombstones: true).count == 4)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func pagesOfOneGiveAllItems(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                var versions: [Int64] = []
                while let item = try hub.items(
                    in: .todo, after: Version(versions.last ?? 0), through: Version(6), limit: 1, maximumBytes: .max,
                    tombstonesAfter: .none
                ).first {
                    versions.append(item.version.number)
                }
                #expect(versions == [3, 4, 5, 6])
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func listThatIsNotThereReadsAsEmpty(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let missing = try ListName("missing")
            try await storage.read { hub throws in
                #expect(try hub.list(missing) == nil)
                #expect(try hub.item(try ItemID("a"), in: missing) == nil)
                let items = try hub.items(
                    in: missing, after: .none, through: Version(9), limit: 9, maximumBytes: 9, tombstonesAfter: .none)
                #expect(items.isEmpty)
                #expect(try hub.digest(in: missing, at: .none) == nil)
                #expect(try hub.history(of: try ItemID("a"), in: missing).isEmpty)
                #expect(try hub.ledgerEntry(in: missing, replica: try ReplicaID("r1"), n: 1) == nil)
                try hub.eachLiveItem(in: missing) { _ in Issue.record("an item of no list") }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func liveItemsComeInBytewiseOrder(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            let ids = ["\u{E9}", "e\u{301}", "z", "Z", "🍋", "it's \"quoted\"", "a/b?c#d%00", "'; DROP TABLE item; --"]
            try await storage.write { hub in
                for (index, id) in ids.enumerated() { try hub.accept(mutation(id, n: Int64(index + 1))) }
            }
            let live = try await storage.read { try $0.liveIDs() }
            let sorted = ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(live.map { Array($0.utf8) } == sorted)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func errorOfTheCallerEndsTheWalk(kind: StorageKind) async throws {
        try await kind.withStorage { storage async throws in
            try await fill(storage)
            try await storage.read { hub throws in
                var count = 0
                #expect(throws: GaveUp.self) {
                    try hub.eachLiveItem(in: .todo) { _ in
                        count += 1
                        throw GaveUp()
                    }
                }
                #expect(count == 1)
                #expect(try hub.liveIDs().count == 3)
            }
        }
    }
}
