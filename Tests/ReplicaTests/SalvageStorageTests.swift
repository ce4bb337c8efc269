import Foundation
import Platform
import Replica
import SQLite
import Sync
import TandemItems
import Testing

/// A damaged store: found, put aside, and its pending mutations kept.
@Suite struct SalvageStorageTests {
    @Test func damageIsFoundAfterAnUncleanStop() async throws {
        try await withDamagedStore(["item"]) { directory, _ in
            let error = await #expect(throws: ReplicaStorageError.self) {
                _ = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("replica.sqlite3 is damaged") == true)
        }
    }

    @Test func soundStoreIsOpenedAsItIs() async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            let before = try await storage.read { try StoreContents($0) }
            await storage.close()
            let (again, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            #expect(salvage == nil)
            #expect(try await again.read { try StoreContents($0) } == before)
            await again.close()
        }
    }

    @Test func pendingMutationsOutliveDamagedItems() async throws {
        try await withDamagedStore(["item", "sqlite_autoindex_item_1"], hub: true) { directory, before in
            let damaged = try Files.read(directory + "/replica.sqlite3", maximumBytes: 1 << 30)
            let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 1_770_000_000_123)
            let after = try await storage.read { try StoreContents($0) }
            #expect(after.record == before.record)
            #expect(after.lists.map(\.list.name) == before.lists.map(\.list.name))
            #expect(after.lists.map(\.list.kind) == before.lists.map(\.list.kind))
            #expect(after.lists.allSatisfy { $0.list.cursor == nil && $0.list.lastN >= 3 })
            #expect(after.lists.map(\.pending) == before.lists.map(\.pending))
            #expect(after.quarantined == before.quarantined)
            #expect(after.lists.map(\.ordered.count) == [3, 3], "shown from the pending mutations alone")
            #expect(after.changes.allSatisfy { $0.stored?.confirmed == nil })
            #expect(salvage?.losses == [])
            #expect(salvage?.items == 0)

            let aside = directory + "/set-aside-20260202T024000Z"
            #expect(salvage?.directory == aside)
            #expect(try Files.read(aside + "/replica.sqlite3", maximumBytes: 1 << 30) == damaged)
            #expect(try Files.names(in: directory).contains("salvaging") == false)
            await storage.close()
        }
    }

    @Test func itemsThatNoHubHasAreReadAroundTheDamage() async throws {
        try await withDamagedStore(["item"], pages: 1) { directory, before in
            let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            let after = try await storage.read { try StoreContents($0) }
            let saved = Dictionary(
                uniqueKeysWithValues: after.changes.filter { $0.list == .todo }.map { ($0.stored?.shown.id, $0.stored) }
            )
            let lost = before.changes.filter { $0.list == .todo && saved[$0.stored?.shown.id] == nil }
            #expect(lost.count > 0 && lost.count < 80, "one page of them")
            for change in before.changes where change.list == .todo && change.stored?.confirmed == change.stored?.shown
            {
                guard let stored = saved[change.stored?.shown.id] else { continue }
                #expect(stored == change.stored)
            }
            #expect(salvage?.items == after.changes.filter { $0.stored?.confirmed != nil }.count)
            #expect(salvage?.losses.count == 1)
            #expect(after.lists.map(\.pending) == before.lists.map(\.pending))
            await storage.close()
        }
    }

    @Test func damagedPageOfPendingMutationsCostsThatPage() async throws {
        try await withDamagedStore(["pending"], pages: 1, pending: 500) { directory, before in
            let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            let after = try await storage.read { try StoreContents($0) }
            let kept = after.lists[0].pending
            #expect(kept.count > 450 && kept.count < 500)
            #expect(Set(before.lists[0].pending).isSuperset(of: kept))
            #expect(after.lists[0].list.lastN == 500)
            #expect(salvage?.losses.count == 1)
            await storage.close()
        }
    }

    @Test func unreadableFileIsPutAsideAndAnEmptyStoreOpened() async throws {
        try await withSQLiteStorage { directory, storage in
            await storage.close()
            let noise = [UInt8](repeating: 0xA5, count: 8_192)
            try Files.write(noise, to: directory + "/replica.sqlite3")
            let (again, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            let contents = try await again.read { try StoreContents($0) }
            #expect(contents.lists.map(\.list) == [ReplicaList(name: .todo, kind: .todo)])
            #expect(salvage?.record == nil)
            #expect(salvage?.losses.isEmpty == false)
            let kept = try #require(salvage).directory + "/replica.sqlite3"
            #expect(try Files.read(kept, maximumBytes: 1 << 20) == noise)
            await again.close()
        }
    }

    @Test func setAsideAnswersWhatItCanRead() async throws {
        try await withDamagedStore(["item"]) { directory, before in
            let salvage = try await SQLiteReplicaStorage.setAside(directory: directory, now: 0)
            #expect(salvage.record == before.record)
            #expect(salvage.lists == before.lists.map(\.list))
            #expect(salvage.pending.map(\.mutation) == before.lists.flatMap(\.pending))
            #expect(salvage.quarantined == before.quarantined)
            #expect(try Files.names(in: directory) == ["lock", "set-aside-19700101T000000Z"])
            let new = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            await new.close()
        }
    }

    @Test(.timeLimit(.minutes(2))) func rescueGoesOnWhereverItWasCutShort() async throws {
        try await withDamagedStore(["item"], hub: true) { directory, before in
            for failing in 1...1_000 {
                let copy = try copyFiles(of: directory)
                var options = SQLiteReplicaStorage.Options()
                let fault = Fault(at: failing)
                options.adjust = { $0.beforeStep = fault.check }
                do {
                    let (storage, _) = try await SQLiteReplicaStorage.openSalvaging(
                        directory: copy, new: .forTests, options: options, now: 0)
                    await storage.close()
                    #expect(failing > 40)
                    return
                } catch let error as ReplicaStorageError {
                    #expect(error.code == .full)
                }
                let (storage, _) = try await SQLiteReplicaStorage.openSalvaging(
                    directory: copy, new: .forTests, now: 1)
                let after = try await storage.read { try StoreContents($0) }
                #expect(after.lists.map(\.pending) == before.lists.map(\.pending), "statement \(failing)")
                #expect(after.record == before.record)
                await storage.close()
            }
            Issue.record("the rescue never ends")
        }
    }

    @Test func storeThatIsBeingReplacedIsNotOpened() async throws {
        try await withDamagedStore(["item"]) { directory, before in
            // As a process leaves it that is killed right after it has begun.
            try Files.write(Array("set-aside-x".utf8), to: directory + "/salvaging")
            let error = await #expect(throws: ReplicaStorageError.self) {
                _ = try await SQLiteReplicaStorage.open(directory: directory, new: .forTests)
            }
            #expect(error?.code == .corrupt)
            let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            #expect(salvage?.directory == directory + "/set-aside-x")
            #expect(salvage?.pending.map(\.mutation) == before.lists.flatMap(\.pending))
            await storage.close()
        }
    }

    @Test func halfMovedStoreIsPutTogetherAgain() async throws {
        try await withDamagedStore(["item"], keepsLog: true) { directory, before in
            // As a process leaves it that is killed between two moves.
            try Files.createDirectory(directory + "/set-aside-x")
            try Files.write(Array("set-aside-x".utf8), to: directory + "/salvaging")
            try Files.move(directory + "/replica.sqlite3-wal", to: directory + "/set-aside-x/replica.sqlite3-wal")
            let (storage, salvage) = try await SQLiteReplicaStorage.openSalvaging(
                directory: directory, new: .forTests, now: 0)
            #expect(salvage?.pending.map(\.mutation) == before.lists.flatMap(\.pending))
            #expect(salvage?.record == before.record)
            await storage.close()
        }
    }

    /// Runs a body with the directory of a store that was not stopped cleanly and has noise on the leaf pages of some
    /// tables, and with what it held before.
    private func withDamagedStore(
        _ tables: [String], pages: Int = .max, hub: Bool = false, pending: Int = 0, keepsLog: Bool = false,
        _ body: (String, StoreContents) async throws -> Void
    ) async throws {
        try await withSQLiteStorage { directory, storage in
            try await storage.fill()
            try await storage.put((0..<200).map { try makeItem("more \($0)", version: 5) })
            try await storage.write { transaction in
                var record = try transaction.record()
                if hub { record.membership = Membership(address: "https://hub.example", token: "secret") }
                try transaction.put(record)
                for n in 4..<max(4, pending + 1) { try transaction.append(makeMutation(Int64(n)), in: .todo) }
            }
            try await storage.withConnection { _ = try $0.checkpoint(truncate: true) }
            if keepsLog { try await storage.write { try $0.setNames([ReplicaID("r9"): "in the log"]) } }
            let before = try await storage.read { try StoreContents($0) }
            let copy = try copyFiles(of: directory)
            for table in tables { try damage(table, pages: pages, in: copy) }
            try await body(copy, before)
        }
    }

    /// Overwrites leaf pages of a table or index with noise: all of them, or some from the second on.
    private func damage(_ table: String, pages: Int, in directory: String) throws {
        let path = directory + "/replica.sqlite3"
        let connection = try Connection(path: path, mode: .readOnly)
        let leaves = try connection.prepare(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
        ).all(table) { $0.int64(at: 0) }
        connection.close()
        try #require(pages == .max || leaves.count > 2)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        for page in pages == .max ? leaves[...] : leaves[1...pages] {
            try file.seek(toOffset: UInt64(page - 1) * 4_096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        }
        try file.close()
    }
}
