import HTTP
import Platform
import Sodium
import TandemItems
import Wire

extension HubService {
    /// Applies mutations in order, in one transaction. The answer has an outcome for each; where the items after them
    /// would make it too large, for the first of them: the rest is untouched and is to be sent again.
    func push(_ request: Request, to list: ListName) async throws -> Response {
        let batch = try PushBatch(request, limits: configuration.limits)
        let (now, configuration, feed) = (now, configuration, feed)
        let result = try await storage.write { store in
            let access = try Access(request, in: store, now: now)
            let list = try access.list(list, as: .editor, in: store)
            if let (replica, name) = batch.author { try store.setName(name, of: replica) }
            var push = Push(list: list, now: now, limits: configuration.limits, answerBytes: configuration.answerBytes)
            try push.apply(batch.mutations, in: store)
            return (epoch: try store.epoch(), head: push.list.head, answer: push.answer)
        } committed: { result in
            feed.announce(list, at: result.head)
        }
        note(result.epoch)
        return reply(result.answer.json)
    }
}

/// A push as it was asked for: read and checked before the transaction begins.
private struct PushBatch: Sendable {
    let mutations: [Result<Mutation, InvalidItem>]
    /// The name that the pushing replica gives itself, for people.
    let author: (ReplicaID, String)?

    init(_ request: Request, limits: Limits) throws {
        guard request.body.count <= limits.batchBytes else {
            throw Failure(
                .contentTooLarge, code: "too-large", "a push has at most \(limits.batchBytes) bytes",
                hint: "send fewer mutations at once")
        }
        let json = try request.json()
        let body = try Failure.refusing { () throws(InvalidItem) in try json.members("a push") }
        guard let array = body["mutations"]?.array else {
            throw Failure(.badRequest, code: "malformed", "'mutations' is missing or is no array")
        }
        guard array.count <= limits.batchMutations else {
            throw Failure(
                .contentTooLarge, code: "too-large", "a push has at most \(limits.batchMutations) mutations",
                hint: "send fewer mutations at once")
        }
        mutations = array.map { json in
            Result { () throws(InvalidItem) in try Mutation(json: json) }
        }
        let name = request.headers[HubHeader.replicaName].flatMap { PercentEncoding.decode($0) }
        let replica = request.headers[HubHeader.replica].flatMap { try? ReplicaID($0) }  // a header for people only
        author = if let name, let replica, name.utf8.count <= 256 { (replica, name) } else { nil }
    }
}

/// Mutations on their way through one write transaction.
private struct Push {
    var list: HubList
    let now: Timestamp
    let limits: Limits
    let answerBytes: Int
    private var outcomes: [Outcome] = []
    private var items: [ItemID: Item] = [:]
    private var touched: [ItemID] = []
    private var bytes = 0

    init(list: HubList, now: Timestamp, limits: Limits, answerBytes: Int) {
        self.list = list
        self.now = now
        self.limits = limits
        self.answerBytes = answerBytes
    }

    var answer: PushAnswer {
        PushAnswer(outcomes: outcomes, items: touched.compactMap { items[$0] })
    }

    mutating func apply(_ mutations: [Result<Mutation, InvalidItem>], in store: any HubTransaction) throws {
        for mutation in mutations {
            guard bytes < answerBytes else { return }
            switch mutation {
            case .success(let mutation): outcomes.append(try outcome(of: mutation, in: store))
            case .failure(let error): outcomes.append(.refused(Refusal(error)))
            }
        }
    }

    private mutating func outcome(of mutation: Mutation, in store: any HubTransaction) throws -> Outcome {
        if let entry = try store.ledgerEntry(in: list.name, replica: mutation.replica, n: mutation.n) {
            guard entry.nonce == mutation.nonce else { return .refused(.replicaForked) }
            if case .accepted = entry.outcome { try touch(mutation.item, try item(mutation.item, in: store)) }
            return entry.outcome
        }
        do {
            return .accepted(try accept(mutation, in: store))
        } catch let error as InvalidItem {
            try store.record(Refusal(error), of: mutation, in: list.name)
            return .refused(Refusal(error))
        }
    }

    private mutating func accept(_ made: Mutation, in store: any HubTransaction) throws -> Version {
        var mutation = made
        // No author has written in the future: a clock that runs ahead must not win every conflict to come.
        mutation.at = min(mutation.at, now)
        let current = try item(mutation.item, in: store)
        let merged = try Merge.apply(mutation, to: current, as: list.head.next)
        try merged.item.check(limits)
        let entry = HistoryEntry(
            sequence: list.head.next, mutation: mutation, accepted: now, opened: merged.opened, closed: merged.closed)
        list.digest = PrefixDigest.next(after: list.digest, made)
        list.head = entry.sequence
        try store.put(merged.item, in: list.name)
        try store.append(entry, digest: list.digest, in: list.name)
        try touch(mutation.item, merged.item)
        return entry.sequence
    }

    private func item(_ id: ItemID, in store: any HubTransaction) throws -> Item? {
        if let item = items[id] { return item }
        return try store.item(id, in: list.name)
    }

    private mutating func touch(_ id: ItemID, _ item: Item?) throws {
        guard let item else { return }
        if items.updateValue(item, forKey: id) == nil { touched.append(id) }
        bytes += item.contentBytes
    }
}

extension Refusal {
    init(_ error: InvalidItem) { self.init(code: error.code.rawValue, message: error.message) }
}

/// The hash chain over a list's history.
enum PrefixDigest {
    static func next(after digest: String, _ mutation: Mutation) -> String {
        var hash = BLAKE2b(size: 16)
        hash.update(digest)
        hash.update(mutation.json.encoded())
        return Hex.encode(hash.finalize())
    }
}
