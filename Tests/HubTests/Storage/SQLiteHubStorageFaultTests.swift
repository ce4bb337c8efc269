import Hub
import HubStore
import SQLite
import Synchronization
import TandemItems
import Testing

/// A fault at every statement, a full disk, a disk that does not take writes.
@Suite(.timeLimit(.minutes(2)))
struct SQLiteHubStorageFaultTests {
    @Test(
        arguments: [
            (SQLiteError.Code.full, HubStorageError.Code.full), (.inputOutput, .failed), (.readOnly, .readOnly),
            (.corrupt, .corrupt), (.generic, .failed),
        ], [false, true])
    func faultAtAnyStatementChangesNothing(
        fault: (SQLiteError.Code, meaning: HubStorageError.Code), isLasting: Bool
    ) async throws {
        let trap = Trap()
        var options = HubStoreOptions()
        options.beforeWriterStep = { try trap.check($0) }
        try await withSQLiteStorage(options: options) { storage, _ async throws in
            try await storage.write { try $0.accept(mutation("a", n: 1)) }
            var n: Int64 = 2
            for step in 1...100 {
                trap.set(step, fault.0, isLasting: isLasting)
                let next = n
                do {
                    try await storage.write { hub in
                        try hub.accept(mutation("a", set: [.title: .int(next)], by: "r2", n: next))
                        try hub.record(.replicaForked, of: mutation("b", n: next + 1), in: .todo)
                        try hub.accept(mutation("new \(next)", n: next))
                    }
                    trap.clear()
                    #expect(step > 10)
                    #expect(try await storage.check() == [])
                    return
                } catch let error as HubStorageError {
                    #expect(error.code == fault.meaning)
                }
                trap.clear()
                let heads = try await storage.read { try $0.lists().map(\.head.number) }
                // As it was, and the same write works at once.
                try await storage.write { hub in
                    #expect(try hub.lists().map(\.head.number) == heads)
                    #expect(try hub.ledgerEntry(in: .todo, replica: try ReplicaID("r1"), n: next) == nil)
                    try hub.accept(mutation("after \(step)", n: next))
                }
                n += 1
            }
            Issue.record("the write has no end")
        }
    }

    @Test func failedCommitFailsAllItsBodiesAndNothingIsTold() async throws {
        let trap = Trap()
        var options = HubStoreOptions()
        options.beforeWriterStep = { try trap.check($0) }
        try await withSQLiteStorage(options: options) { storage, _ async throws in
            let heard = Heard()
            trap.set(text: "COMMIT", .full)
            let failures = await withTaskGroup(of: Bool.self) { group in
                for n in 1...20 as ClosedRange<Int64> {
                    group.addTask {
                        do {
                            try await storage.write {
                                try $0.accept(mutation("\(n)", n: n))
                            } committed: {
                                heard.add($0)
                            }
                            return false
                        } catch {
                            return (error as? HubStorageError)?.code == .full
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == 20)
            #expect(heard.all.isEmpty)
            #expect(try await storage.read { try $0.page() }.isEmpty)
            trap.clear()
            try await storage.write {
                try $0.accept(mutation("1"))
            } committed: {
                heard.add($0)
            }
            #expect(heard.all == [Version(1)])
        }
    }

    @Test func fullDiskKeepsEverythingAndWorksOnceThereIsRoom() async throws {
        try await withSQLiteStorage { storage, _ async throws in
            try await storage.setMaximumBytes(600_000)
            let filler = JSON.string(String(repeating: "x", count: 20_000))
            let kept = try await withThrowingTaskGroup(of: String?.self) { group in
                for n in 1...60 as ClosedRange<Int64> {
                    group.addTask {
                        do {
                            try await storage.write { try $0.accept(mutation("\(n)", set: [.title: filler], n: n)) }
                            return "\(n)"
                        } catch let error as HubStorageError where error.code == .full {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: Set<String>()) { if let id = $1 { $0.insert(id) } }
            }
            #expect((1..<60).contains(kept.count))
            // Exactly what was answered is there.
            #expect(try await storage.read { try Set($0.page()) } == kept)
            #expect(try await storage.check() == [])
            try await storage.setMaximumBytes(1 << 30)
            for n in 1...60 as ClosedRange<Int64> where !kept.contains("\(n)") {
                try await storage.write { try $0.accept(mutation("\(n)", set: [.title: filler], n: n)) }
            }
            #expect(try await storage.read { try $0.page() }.count == 60)
            #expect(try await storage.check() == [])
        }
    }
}

/// Lets statements pass up to the one that it fails.
final class Trap: Sendable {
    private struct State {
        var remaining = 0
        var isLasting = false
        var text: String?
        var fault: SQLiteError.Code?
    }

    private let state = Mutex(State())

    /// Fails the statement that is the `step`th from now, and all after it if the fault is lasting.
    func set(_ step: Int, _ fault: SQLiteError.Code, isLasting: Bool) {
        state.withLock { $0 = State(remaining: step, isLasting: isLasting, fault: fault) }
    }

    /// Fails every statement with this text.
    func set(text: String, _ fault: SQLiteError.Code) {
        state.withLock { $0 = State(text: text, fault: fault) }
    }

    func clear() { state.withLock { $0 = State() } }

    func check(_ statement: String) throws {
        let fault = state.withLock { state -> SQLiteError.Code? in
            if let text = state.text { return text == statement ? state.fault : nil }
            state.remaining -= 1
            return state.remaining == 0 || (state.remaining < 0 && state.isLasting) ? state.fault : nil
        }
        if let fault { throw SQLiteError(fault, statement: statement) }
    }
}
