import Replica
import Hub
import Sync
import TandemItems

/// What a person types at a replica: one act of a stimulus.
struct Typist {
    let world: World
    let replica: SimulatedReplica
    var random: SimulationRandom

    mutating func act() {
        guard let process = replica.process else { return }
        let lists = replica.storage.state.storedLists.map(\.list.name).filter {
            (world.plan.firstLists + world.plan.laterLists).contains($0)
        }
        guard !lists.isEmpty else { return }
        let list = random.pick(lists)
        guard let model = process.model else { return }
        if random.chance(8) { return move(model, list) }
        let edits = edits(list)
        type { _ = try await model.edit(edits, in: list) }
    }

    private func type(_ body: @escaping @Sendable () async throws -> Void) {
        let (world, index) = (world, replica.index)
        world.spawn {
            do {
                try await ReplicaProcess.$isTyping.withValue(true) { try await body() }
            } catch {
                // Refused edits are part of the game: a full disk, a read-only list.
                world.note("replica \(index) could not: \(error)")
            }
        }
    }

    private mutating func move(_ model: CoreModel, _ list: ListName) {
        let ids = replica.storage.state.items(in: list, after: nil, limit: 100).map(\.id.text)
        guard ids.count > 1 else { return }
        let (id, anchor) = (random.pick(ids), random.pick(ids))
        let destination = random.pick([Destination.first, .last, .before(anchor), .after(anchor)])
        type { _ = try await model.move(id, to: destination, in: list) }
    }

    private mutating func edits(_ list: ListName) -> [Edit] {
        if random.chance(6) { return (0...random.below(4)).map { _ in imported() } }
        return [edit(list)]
    }

    private mutating func id() -> ItemID {
        // Texts that keep the rule.
        (try? ItemID("i\(random.below(world.plan.itemCount))")) ?? .minted(at: Timestamp(milliseconds: 0), random: (0, 0))
    }

    /// As the import does it: a base of zero, whatever is there.
    private mutating func imported() -> Edit {
        Edit(item: id(), base: Version.none, set: [.title: .string("imported\(random.below(3))"), .note: note()])
    }

    private mutating func note() -> JSON { random.pick(["a", "b", JSON.null, true]) }

    private mutating func edit(_ list: ListName) -> Edit {
        let id = id()
        let shown = replica.storage.state.item(id, in: list)?.shown
        var edit = Edit(item: id)
        let version = shown?.version.number ?? 0
        if version > 0, random.chance(15) { edit.base = Version(Int64(random.below(Int(version) + 1))) }
        switch random.below(100) {
        case ..<45: edit.set = [random.pick([FieldName.title, .body]): .string("t\(random.next() >> 40)")]
        case ..<53: edit.set = [.note: note()]
        case ..<58: edit.set = [.tag: random.pick([true, JSON.null])]
        case ..<60: edit.set = [.big: .string(String(repeating: "x", count: random.pick([300, 900])))]
        case ..<75: edit.set = [.deleted: true]
        case ..<80: edit.set = [.deleted: false]
        case ..<83: edit.set = [.count: random.chance(30) ? "many" : .int(amount(id, list))]
        case ..<95: edit.increments = [.count: amount(id, list)]
        default: edit.set = [.title: .string("t\(random.next() >> 40)"), .note: note(), .order: .string("k\(random.below(9))")]
        }
        return edit
    }

    /// A power of two that no other write of the item has.
    private func amount(_ id: ItemID, _ list: ListName) -> Int64 {
        let used = world.oracle.amounts[Oracle.Place(list: list, item: id), default: 0]
        world.oracle.amounts[Oracle.Place(list: list, item: id)] = used + 1
        return used < 60 ? 1 << Int64(used) : 0
    }

    /// Settles a conflict, if there is one.
    mutating func resolve() {
        guard let model = replica.process?.model else { return }
        let open = replica.storage.state.storedLists.flatMap { list in
            replica.storage.state.conflicted(in: list.list.name).flatMap(\.conflicts)
        }
        guard !open.isEmpty else { return }
        let id = random.pick(open).id.text
        let resolution = random.pick([Resolution.shown, .other, .value(.string("r\(random.next() >> 40)"))])
        type { _ = try await model.resolve(id, resolution) }
    }

    mutating func retry() {
        guard let model = replica.process?.model else { return }
        let entries = replica.storage.state.storedQuarantine
        guard !entries.isEmpty else { return }
        let entry = random.pick(entries)
        type { _ = try await model.retryQuarantined(entry.id.text) }
    }
}
