import Platform
import Sync
import TandemItems
import TestSupport
import Testing

/// Once faults are over, everything reaches everywhere, whatever the order of events before: nobody edits again, and
/// while the stream is open nobody polls.
struct SyncEngineLivenessTests {
    /// What happens by itself, a number each, while nobody does anything and nothing fails.
    private func quietMoves(_ world: SyncEngineWorld) -> [(inout SyncEngineWorld) -> Void] {
        var moves: [(inout SyncEngineWorld) -> Void] = world.flights.indices.map { index in { $0.advance(index) } }
        if !world.editNews.isEmpty { moves.append { $0.deliverEdit() } }
        if !world.told.isEmpty { moves.append { $0.deliverHead() } }
        if world.stream == .opening { moves.append { $0.openStream() } }
        return moves
    }

    private func settle(_ world: inout SyncEngineWorld, _ pick: (Int) -> Int) {
        for _ in 0..<2_000 {
            let moves = quietMoves(world)
            if !moves.isEmpty {
                moves[pick(moves.count)](&world)
            } else if world.engine.state != .live, let timer = world.nextTimer {
                world.fire(timer)
            } else {
                return
            }
        }
        world.faults.append("no end in sight")
    }

    private func check(_ world: SyncEngineWorld, _ what: @autoclosure () -> String) {
        var faults = world.faults
        for list in world.lists {
            let (hub, store) = (world.hub[list] ?? [], world.store[list])
            if store?.pending.isEmpty == false { faults.append("\(list) has pending") }
            if store?.cursor != hub { faults.append("\(list) is not at the head") }
            if store?.confirmed != Set(hub) { faults.append("\(list) has lost something") }
        }
        if !world.engine.isCaughtUp { faults.append("the engine knows of no end") }
        if world.asked != Set(world.reported.keys) { faults.append("a request was not answered") }
        if !faults.isEmpty {
            Issue.record("\(what()): \(faults)\n\(world.trace.map { "\($0)" }.joined(separator: "\n"))")
        }
    }

    @Test(.timeLimit(.minutes(2))) func anyOrderOfEventsAndFaultsEndsWell() throws {
        let seed = TestSeed.make()
        let lists = [ListName.todo, try ListName("other")]
        for round in 0..<700 {
            let random = SeededRandom(seed: seed &+ UInt64(round))
            let pick = { (count: Int) in Int(random.next() % UInt64(count)) }
            var world = SyncEngineWorld(lists: Array(lists.prefix(1 + pick(2))), pulled: [nil, 0, 1, 2][pick(4)])
            world.feed(.joined)
            for _ in 0..<(10 + pick(60)) { stir(&world, pick) }
            if world.engine.state == .detached { world.feed(.joined) }
            // A hub that was restored and has grown to the same length shows itself with its next change.
            for list in world.lists {
                repeat { world.editElsewhere(list) } while world.isNoLonger(list)
            }
            world.ask(1_000)
            settle(&world, pick)
            if world.engine.state != .live { world.ask(1_001) }
            settle(&world, pick)
            check(world, "seed \(seed &+ UInt64(round))")
            if !world.faults.isEmpty { return }
        }
    }

    private func stir(_ world: inout SyncEngineWorld, _ pick: (Int) -> Int) {
        let list = world.lists[pick(world.lists.count)]
        let quiet = quietMoves(world)
        switch pick(24) {
        case 0, 1: world.edit(list)
        case 2, 3: world.editElsewhere(list)
        case 4: world.ask(world.asked.count + 1)
        case 5 where world.stream != .closed: world.breakStream()
        case 6, 7:
            let errors: [HubError] = [.cut, .unauthorized, .tooLarge, .forbidden, HubError(.busy, "")]
            if !world.flights.isEmpty { world.fail(pick(world.flights.count), errors[pick(errors.count)]) }
        case 8: if let timer = world.nextTimer { world.fire(timer) }
        case 9: world.feed(.networkChanged)
        case 10 where pick(4) == 0: world.feed(.storeFailed("full"))
        case 11 where pick(6) == 0:
            if world.knowsOnlyWhatItPulled(list) {
                world.restoreHub(list, to: pick((world.hub[list]?.count ?? 0) + 1))
            }
        case 12 where pick(6) == 0: world.feed(.left)
        case 13: if world.engine.state == .detached { world.feed(.joined) }
        default: if !quiet.isEmpty { quiet[pick(quiet.count)](&world) }
        }
    }

    /// Orders of all that can happen by itself around one edit here, one elsewhere, and one request or break: whole
    /// branches of the tree of orders, which begin with the joining, at places that chance picks.
    @Test(.timeLimit(.minutes(2)), arguments: [Disturbance.none, .ask, .cut, .breakStream, .restore])
    func everyOrderAroundOneEditEndsWell(_ disturbance: Disturbance) {
        let seed = TestSeed.make()
        for branch in 0..<10 {
            var world = SyncEngineWorld(lists: [.todo], pulled: branch % 2 == 0 ? nil : 2)
            world.feed(.joined)
            explore(world, disturbance, seed &+ UInt64(branch))
        }
    }

    private func explore(_ world: SyncEngineWorld, _ disturbance: Disturbance, _ seed: UInt64) {
        var explorer = Explorer(disturbance: disturbance, random: SeededRandom(seed: seed), budget: 1_500)
        explorer.explore(world, [.edit, .editElsewhere, .disturb], moves: quietMoves) { end in
            var end = end
            settle(&end) { _ in 0 }
            check(end, "\(disturbance), seed \(seed)")
            return end.faults.isEmpty
        }
        #expect(explorer.ends > 20)
    }
}

enum Disturbance: Sendable { case none, ask, cut, breakStream, restore }

/// Walks every order of moves, depth first, up to a number of steps.
private struct Explorer {
    enum Deed: Hashable { case edit, editElsewhere, disturb }

    let disturbance: Disturbance
    let random: SeededRandom
    var budget: Int
    var ends = 0
    var isFailed = false

    mutating func explore(
        _ world: SyncEngineWorld, _ deeds: Set<Deed>, moves: (SyncEngineWorld) -> [(inout SyncEngineWorld) -> Void],
        end: (SyncEngineWorld) -> Bool
    ) {
        guard budget > 0, !isFailed else { return }
        budget -= 1
        let quiet = moves(world)
        var generator = random.generator
        var branches: [(deed: Deed?, move: Int)] = quiet.indices.map { (deed: nil, move: $0) }
        for deed in [Deed.edit, .editElsewhere, .disturb] where deeds.contains(deed) && isPossible(deed, world) {
            branches.append((deed: deed, move: 0))
        }
        for (deed, move) in branches.shuffled(using: &generator) {
            var next = world
            if let deed { perform(deed, &next) } else { quiet[move](&next) }
            explore(next, deed.map { deeds.subtracting([$0]) } ?? deeds, moves: moves, end: end)
        }
        guard quiet.isEmpty else { return }
        ends += 1
        isFailed = !end(deeds.subtracting([.disturb]).reduce(into: world) { perform($1, &$0) })
    }

    private func isPossible(_ deed: Deed, _ world: SyncEngineWorld) -> Bool {
        guard deed == .disturb else { return true }
        switch disturbance {
        case .none: return false
        case .cut: return !world.flights.isEmpty
        case .breakStream: return world.stream != .closed
        case .restore: return world.knowsOnlyWhatItPulled(.todo)
        case .ask: return true
        }
    }

    private func perform(_ deed: Deed, _ world: inout SyncEngineWorld) {
        switch (deed, disturbance) {
        case (.edit, _): world.edit(.todo)
        case (.editElsewhere, _): world.editElsewhere(.todo)
        case (.disturb, .ask): world.ask(1)
        case (.disturb, .cut): world.fail(world.flights.count - 1, .cut)
        case (.disturb, .breakStream): world.breakStream()
        case (.disturb, .restore):
            // A hub that has grown to the same length shows itself with its next change.
            world.restoreHub(.todo, to: 1)
            repeat { world.editElsewhere(.todo) } while world.isNoLonger(.todo)
        case (.disturb, .none): break
        }
    }
}
