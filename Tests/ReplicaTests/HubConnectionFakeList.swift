import Sync
import TandemItems

/// A list of ``FakeHub``.
struct FakeList: Sendable {
    private struct Number: Hashable {
        var replica: ReplicaID
        var n: Int64
    }

    var kind: ListKind
    var items: [ItemID: Item] = [:]
    /// The prefix digest at each sequence, 0 first.
    private var digests = ["0"]
    private var ledger: [Number: (nonce: Nonce, outcome: Outcome)] = [:]

    init(kind: ListKind = .todo) { self.kind = kind }

    var head: Version { Version(Int64(digests.count - 1)) }

    mutating func push(_ mutations: [Mutation], limits: Limits, now: Timestamp) -> PushAnswer {
        var answer = PushAnswer(outcomes: [], items: [])
        var touched: [ItemID] = []
        for mutation in mutations {
            let outcome = outcome(of: mutation, limits: limits, now: now)
            answer.outcomes.append(outcome)
            if case .accepted = outcome, !touched.contains(mutation.item) { touched.append(mutation.item) }
        }
        answer.items = touched.compactMap { items[$0] }
        return answer
    }

    private mutating func outcome(of made: Mutation, limits: Limits, now: Timestamp) -> Outcome {
        let number = Number(replica: made.replica, n: made.n)
        if let entry = ledger[number] {
            return entry.nonce == made.nonce ? entry.outcome : .refused(.replicaForked)
        }
        var mutation = made
        mutation.at = min(mutation.at, now)
        if mutation.base > head { mutation.base = .none }
        let outcome: Outcome
        do throws(InvalidItem) {
            try mutation.check()
            let item = try Merge.apply(mutation, to: items[mutation.item], as: head.next).item
            try item.check(limits)
            items[item.id] = item
            digests.append(Self.digest(after: digests.last ?? "0", made))
            outcome = .accepted(item.version)
        } catch {
            outcome = .refused(Refusal(code: error.code.rawValue, message: error.message))
        }
        ledger[number] = (made.nonce, outcome)
        return outcome
    }

    /// The digest at the head.
    var digest: String { digests[digests.count - 1] }

    func check(_ place: Cursor, epoch: Epoch) throws(HubError) {
        let index = Int(clamping: place.sequence.number)
        guard place.epoch == epoch, digests.indices.contains(index), digests[index] == place.digest else {
            throw HubError(.historyDiverged, "the hub's history has no such place")
        }
    }

    func page(since cursor: Cursor?, limit: Int, epoch: Epoch) throws(HubError) -> ChangesPage {
        if let cursor { try check(cursor, epoch: epoch) }
        let start = cursor?.sequence ?? .none
        let firstHead = cursor.map { $0.firstHead } ?? head
        let changed = items.values.filter { item in
            let isLive = !item.isDeleted || !item.conflicts.isEmpty
            return item.version > start && (isLive || item.version > firstHead ?? .none)
        }
        let page = changed.sorted { $0.version < $1.version }.prefix(max(1, limit))
        let end = page.count < changed.count ? page.last?.version ?? head : head
        let next = Cursor(
            epoch: epoch, sequence: end, digest: digests[Int(clamping: end.number)], firstHead: firstHead)
        return ChangesPage(items: Array(page), cursor: next, head: head)
    }

    /// FNV-1a over the digest before and the mutation: enough to tell two histories of a test apart.
    private static func digest(after digest: String, _ mutation: Mutation) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(digest.utf8) + mutation.json.encoded() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
