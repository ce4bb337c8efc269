import Synchronization

/// A fixed number of actors that do the same work, each on a thread of its own; a call goes to the least busy one.
struct Lanes<Lane: Actor>: ~Copyable, Sendable {
    let lanes: [Lane]
    private let calls: Mutex<[Int]>

    init(_ lanes: [Lane]) {
        precondition(!lanes.isEmpty)
        self.lanes = lanes
        calls = Mutex(lanes.map { _ in 0 })
    }

    func withLeastBusy<Value>(_ body: (Lane) async throws -> Value) async rethrows -> Value {
        let index = calls.withLock { calls in
            let index = calls.indices.min { calls[$0] < calls[$1] } ?? 0
            calls[index] += 1
            return index
        }
        defer { calls.withLock { $0[index] -= 1 } }
        return try await body(lanes[index])
    }
}
