import Dispatch
import Sync
import Synchronization
import TandemItems

/// All that can be read of a store, to compare states by.
struct StoreContents: Equatable, Sendable {
    struct List: Equatable, Sendable {
        var list: ReplicaList
        var ordered: [Item]
        var pending: [Mutation]
        var conflicted: [Item]
        var counts: ListCounts
    }

    struct Change: Equatable, Sendable {
        var stamp: Int64
        var list: ListName
        var stored: StoredItem?
    }

    var record: StoreRecord
    var lists: [List]
    var changes: [Change]
    var quarantined: [QuarantinedMutation]
    var names: [ReplicaID: String]
    var lastStamp: Int64

    init(_ reading: any ReplicaReading) throws {
        record = try reading.record()
        lists = try reading.lists().map { list in
            List(
                list: list, ordered: try reading.items(in: list.name, after: nil, limit: .max),
                pending: try reading.pending(in: list.name, from: 0, limit: .max, maximumBytes: .max),
                conflicted: try reading.conflicted(in: list.name), counts: try reading.counts(of: list.name))
        }
        changes = try reading.changes(after: 0, limit: .max).map {
            Change(stamp: $0.stamp, list: $0.list, stored: try reading.item($0.item.id, in: $0.list))
        }
        quarantined = try reading.quarantined()
        names = try reading.replicaNames()
        lastStamp = try reading.lastStamp()
    }
}

/// Keeps a body, which may block, until a test lets it go on.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }

    func open() { semaphore.signal() }
}

/// What was told from several threads, in order.
final class Told<Value: Sendable>: Sendable {
    private let log = Mutex<[Value]>([])

    var values: [Value] { log.withLock { $0 } }

    func append(_ value: Value) { log.withLock { $0.append(value) } }
}
