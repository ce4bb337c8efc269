@testable import TandemItems

/// One random schedule: three replicas edit, push and pull in any order over a network that loses answers and delivers
/// twice, with clocks that are off; then all is delivered and the oracle accounts for every value.
struct MergeSchedule {
    private static let itemIDs: [ItemID] = ["one", "two"]
    private static let replicaIDs: [ReplicaID] = ["A", "B", "C"]
    private static let nonce: Nonce = "nonce"
    private static let fields: [FieldName] = ["x", "y", "count", "count", .deleted, .deleted, .order]

    private var random: SeededRandom
    private var hub: SimulatedHub
    private var replicas: [SimulatedReplica] = []
    private var time: Int64 = 0

    /// Runs a schedule and tells what it broke.
    static func violations(seed: UInt64, rule: MergeRule = .product) throws -> Set<Violation> {
        var schedule = MergeSchedule(seed: seed, rule: rule)
        for _ in 0..<(10 + schedule.random.below(41)) { try schedule.step() }
        try schedule.settle()
        return schedule.hub.oracle.violations
    }

    private init(seed: UInt64, rule: MergeRule) {
        random = SeededRandom(seed: seed)
        hub = SimulatedHub(rule: rule, items: Self.itemIDs.count, replicas: Self.replicaIDs.count)
        for (number, id) in Self.replicaIDs.enumerated() {
            let skew: Int64 = random.pick([0, 0, -1_000_000, 1_000_000, 20])
            let confirmed = [Item?](repeating: nil, count: Self.itemIDs.count)
            replicas.append(SimulatedReplica(id: id, number: number, clockSkew: skew, confirmed: confirmed))
        }
    }

    private mutating func step() throws {
        time += 1
        let number = random.below(replicas.count)
        switch random.below(100) {
        case ..<45: edit(number)
        case ..<75: try push(number)
        case ..<95: replicas[number].pull(hub, limit: random.pick([1, 2, 99]))
        case ..<98: replicas[number].take(replicas[number].lastPage, hub.rule)
        default: try foresee(number)
        }
    }

    private mutating func edit(_ number: Int) {
        guard !hub.oracle.history.isFull else { return }
        let item = random.below(Self.itemIDs.count)
        replicas[number].lastNumber += 1
        var mutation = Mutation(
            replica: replicas[number].id, n: replicas[number].lastNumber, nonce: Self.nonce, item: Self.itemIDs[item],
            base: replicas[number].confirmed[item]?.version ?? .none,
            at: Timestamp(milliseconds: time / 3 + replicas[number].clockSkew))
        for _ in 0...random.below(2) { change(random.pick(Self.fields), in: &mutation) }
        if mutation.set[.deleted] == true {
            mutation.set = [.deleted: true]
            mutation.increments = [:]
        }
        let earlier = replicas[number].pending.filter { $0.number == item }.map(\.mutation)
        mutation = mutation.reviving(replicas[number].confirmed[item], after: earlier)
        hub.oracle.history.note(mutation, by: number, of: item)
        replicas[number].pending.append((number: item, mutation: mutation))
        guard random.chance(25) else { return }
        let view = replicas[number].shown(item)
        for (name, value) in mutation.set.entries { hub.oracle.expect(view?[name] == value, else: .editInvisible) }
    }

    private mutating func change(_ field: FieldName, in mutation: inout Mutation) {
        let amount = hub.oracle.history.nextAmount
        switch field {
        case .deleted: mutation.set[field] = .bool(random.chance(60))
        case .order: mutation.set[field] = .string(String(amount))
        case "count" where random.chance(75) && mutation.set[field] == nil: mutation.increments[field] = amount
        case "count": if mutation.increments[field] == nil { mutation.set[field] = .int(amount) }
        default: mutation.set[field] = random.chance(20) ? random.pick([0, 1, JSON.null]) : .int(1_000 + amount)
        }
    }

    private mutating func push(_ number: Int) throws {
        for (item, mutation) in replicas[number].pending.prefix(1 + random.below(3)) {
            let answer = try hub.push(mutation)
            if random.chance(25) { return }
            replicas[number].take(answer, item, hub.rule)
            replicas[number].pending.removeFirst()
            if random.chance(20) { _ = try hub.push(mutation) }
        }
    }

    /// What a replica shows is what the hub will have if nothing else comes first.
    private mutating func foresee(_ number: Int) throws {
        let replica = replicas[number]
        for item in Self.itemIDs.indices where replica.confirmed[item] == hub.items[item] {
            let pending = replica.pending.filter { $0.number == item }.map(\.mutation)
            guard !pending.contains(where: hub.hasAccepted) else { continue }
            var future = hub.items[item]
            for mutation in pending {
                future = try hub.rule.apply(mutation, future, (future?.version ?? .none).next).item
            }
            let isForeseen = replica.shown(item)?.values == future?.values
            hub.oracle.expect(isForeseen, else: .viewUnlikeHub)
        }
    }

    private mutating func settle() throws {
        for number in replicas.indices {
            for (item, mutation) in replicas[number].pending {
                replicas[number].take(try hub.push(mutation), item, hub.rule)
            }
            replicas[number].pending = []
        }
        for number in replicas.indices {
            let late = replicas[number].lastPage
            replicas[number].pull(hub, limit: 99)
            replicas[number].take(late, hub.rule)
            let isSame = replicas[number].confirmed == hub.items && replicas[number].cursor == hub.sequence
            hub.oracle.expect(isSame, else: .diverged)
            for item in Self.itemIDs.indices {
                hub.oracle.expect(replicas[number].shown(item) == hub.items[item], else: .diverged)
            }
        }
        hub.oracle.settle(hub.items)
    }
}

extension Item {
    /// What a person sees of an item.
    var values: FieldMap<JSON> {
        var values = FieldMap<JSON>()
        for (name, field) in fields.entries where !field.value.isNull { values[name] = field.value }
        return values
    }
}
