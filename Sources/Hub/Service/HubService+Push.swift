import HTTP
import Platform
import Sodium
import TandemItems
import Wire

extension HubService {
    /// Applies mutations in order, in one transaction. The answer has an outcome for each; where the items after them
    /// would make it too large, for the first of them: the rest is untouched and is to be sent again.
    ///
    /// A base is a place in a history. Where this hub's history is another one (restored from a copy, it may have
    /// overtaken the base meanwhile), a base would pass for having seen what its author never saw: so the push proves
    /// by `seen` which history its bases are from, and is turned away whole where it is not this one.
    func push(_ request: Request, to list: ListName, seen: Cursor?) async throws -> Response {
        let batch = try PushBatch(request, limits: configuration.limits)
        let (now, configuration, feed, metrics) = (now, configuration, feed, metrics)
        let result = try await storage.write { store in
            let access = try Access(request, in: store, now: now)
            let list = try access.list(list, as: .editor, in: store)
            let epoch = try store.epoch()
            if let seen { try Self.check(seen, of: list, epoch, in: store) }
            if let (replica, name) = batch.author { try store.setName(name, of: replica) }
            var push = Push(list: list, now: now, limits: configuration.limits, answerBytes: configuration.answerBytes)
            try push.apply(batch.mutations, in: store)
            var answer = push.answer
            answer.seen = Cursor(epoch: epoch, sequence: push.list.head, digest: push.list.digest)
            return (epoch: epoch, head: push.list.head, answer: answer, effect: push.effect)
        } committed: { result in
            // Mutations that were answered before, and refused ones, are no news.
            if result.effect.accepted > 0 { feed.announce(list, at: result.head) }
            metrics.count(result.effect)
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
        // Who has written nothing gets no name either: names are kept for good, and told to everyone.
        let hasWritten = mutations.contains { (try? $0.get())?.replica == replica }  // a faulty one is nobody's
        author = if let name, let replica, hasWritten, name.utf8.count <= 256 { (replica, name) } else { nil }
    }
}

/// How many mutations of a push became part of history, were refused, and had been answered before.
struct PushEffect: Sendable {
    var accepted = 0
    var refused = 0
    var repeated = 0
    /// Conflicts that the accepted ones opened.
    var opened = 0
}

/// Mutations on their way through one write transaction.
private struct Push {
    var list: HubList
    let now: Timestamp
    let limits: Limits
    let answerBytes: Int
    private(set) var effect = PushEffect()
    private var outcomes: [Outcome] = []
    private var items: [ItemID: (item: Item, bytes: Int)] = [:]
    private var touched: [ItemID] = []
    /// Replicas of which a number stands for two mutations: what comes after it was not made after what has its number.
    private var forked: Set<ReplicaID> = []
    /// What the touched items take in the answer, about: each once, as it is now.
    private var bytes = 0

    init(list: HubList, now: Timestamp, limits: Limits, answerBytes: Int) {
        self.list = list
        self.now = now
        self.limits = limits
        self.answerBytes = answerBytes
    }

    var answer: PushAnswer {
        PushAnswer(outcomes: outcomes, items: touched.compactMap { items[$0]?.item })
    }

    mutating func apply(_ mutations: [Result<Mutation, InvalidItem>], in store: any HubTransaction) throws {
        for mutation in mutations {
            guard bytes < answerBytes || outcomes.isEmpty else { return }
            switch mutation {
            case .success(let mutation): outcomes.append(try outcome(of: mutation, in: store))
            case .failure(let error):
                effect.refused += 1
                outcomes.append(.refused(Refusal(error)))
            }
        }
    }

    private mutating func outcome(of mutation: Mutation, in store: any HubTransaction) throws -> Outcome {
        if let entry = try store.ledgerEntry(in: list.name, replica: mutation.replica, n: mutation.n) {
            return try answerAgain(mutation, entry, in: store)
        }
        guard !forked.contains(mutation.replica) else {
            effect.refused += 1
            return .refused(.replicaForked)
        }
        do {
            let version = try accept(mutation, in: store)
            effect.accepted += 1
            return .accepted(version)
        } catch let error as InvalidItem {
            effect.refused += 1
            try store.record(Refusal(error), of: mutation, in: list.name)
            return .refused(Refusal(error))
        }
    }

    private mutating func answerAgain(
        _ mutation: Mutation, _ entry: LedgerEntry, in store: any HubTransaction
    ) throws -> Outcome {
        guard entry.nonce == mutation.nonce else {
            effect.refused += 1
            forked.insert(mutation.replica)
            return .refused(.replicaForked)
        }
        effect.repeated += 1
        if case .accepted = entry.outcome, let item = try item(mutation.item, in: store) { touch(item) }
        return entry.outcome
    }

    private mutating func accept(_ made: Mutation, in store: any HubTransaction) throws -> Version {
        var mutation = made
        // No author has written in the future: a clock that runs ahead must not win every conflict to come.
        mutation.at = min(mutation.at, now)
        // Nor seen what is not there: its base is of a history that this hub has lost, and shows nothing of this one.
        if mutation.base > list.head { mutation.base = .none }
        let current = try item(mutation.item, in: store)
        let merged = try Merge.apply(mutation, to: current, as: list.head.next)
        try merged.item.check(limits, after: current)
        let entry = HistoryEntry(
            sequence: list.head.next, mutation: mutation, accepted: now, opened: merged.opened, closed: merged.closed)
        list.digest = PrefixDigest.next(after: list.digest, made)
        list.head = entry.sequence
        try store.put(merged.item, in: list.name)
        try store.append(entry, digest: list.digest, in: list.name)
        touch(merged.item)
        effect.opened += merged.opened.count
        return entry.sequence
    }

    private func item(_ id: ItemID, in store: any HubTransaction) throws -> Item? {
        if let known = items[id] { return known.item }
        return try store.item(id, in: list.name)
    }

    private mutating func touch(_ item: Item) {
        // The names of fields and replicas in origins and conflicts are what the constants stand for.
        let size = item.contentBytes + item.conflictBytes + 128 * (1 + item.conflicts.count)
        let old = items.updateValue((item, size), forKey: item.id)
        if old == nil { touched.append(item.id) }
        bytes += size - (old?.bytes ?? 0)
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
