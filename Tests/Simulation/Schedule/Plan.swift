import Hub
import Sync
import TandemItems

/// What a seed decides before anything happens: the world's size, how often which fault strikes, and what people and
/// misfortune do when. Each stimulus carries a seed of its own, so that leaving one out changes no other.
package struct Plan: Sendable {
    struct Stimulus: Sendable {
        enum Kind: Sendable { case edit, fault(Fault), sync, network, resolve, retry, backUpHub, backUpReplica }

        let index: Int
        let time: Int64
        let kind: Kind
        let seed: UInt64
    }

    package let seed: UInt64
    let replicaCount: Int
    let firstLists: [ListName]
    let laterLists: [ListName]
    let itemCount: Int
    /// Of a thousand messages, how many are struck.
    private(set) var rates: [Fault: Int]
    let tuning: SyncTuning
    let hubConfiguration: HubConfiguration
    /// How far the hub's clock is off, and how far each replica's may be, in milliseconds.
    let hubOffset: Int64
    let offsets: [Int64]
    private(set) var stimuli: [Stimulus]
    let hasUnknownMembers: Bool
    let replicasThatJoinLater: Set<Int>

    /// - Parameters:
    ///   - only: the stimuli to keep, by their numbers; `nil` keeps all.
    ///   - without: faults that do not happen.
    package init(seed: UInt64, only: Set<Int>? = nil, without: Set<Fault> = []) {
        var random = SimulationRandom(seed: seed)
        self.seed = seed
        replicaCount = 3 + random.below(5)
        let names = ["one", "two", "three"].compactMap { try? ListName($0) }  // plain names keep the rule
        firstLists = Array(names.prefix(1 + random.below(2)))
        itemCount = 2 + random.below(9)
        // A part of the faults only, so that some schedules are deep in one kind and not each a bit of all.
        let share = 1 + random.below(10)
        var active = Set(Fault.allCases.filter { _ in random.below(10) < share })
        if !random.chance(50) { active = active.filter { !$0.forgets } }
        rates = Self.rates(&random, active)
        laterLists = active.contains(.listAdded) ? Array(names.suffix(1)) : []
        tuning = Self.tuning(&random)
        hubConfiguration = Self.configuration(&random)
        let years = { (random: inout SimulationRandom) -> Int64 in
            random.pick([0, 0, 0, 1_500, -2_500, 3_600_000, -86_400_000, 63_072_000_000, -63_072_000_000])
        }
        hubOffset = years(&random)
        offsets = (0..<16).map { _ in years(&random) }
        hasUnknownMembers = active.contains(.unknownMembers)
        replicasThatJoinLater = Set((0..<replicaCount).filter { _ in random.chance(15) })
        stimuli = Self.stimuli(&random, active)
        if let only { stimuli.removeAll { !only.contains($0.index) } }
        for fault in without { rates[fault] = nil }
        stimuli.removeAll { if case .fault(let fault) = $0.kind { without.contains(fault) } else { false } }
    }

    /// The stimuli, by which a schedule can be made smaller.
    package var stimulusNumbers: [Int] { stimuli.map(\.index) }

    private static func rates(_ random: inout SimulationRandom, _ active: Set<Fault>) -> [Fault: Int] {
        let heavy = random.pick([1, 1, 2, 5])
        var rates: [Fault: Int] = [:]
        for fault in [Fault.requestLost, .answerLost, .doubled, .delayed] where active.contains(fault) {
            rates[fault] = random.pick([10, 40, 100]) * heavy
        }
        for fault in [Fault.truncated, .turnedAway, .commitFailure] where active.contains(fault) {
            rates[fault] = random.pick([5, 20, 50])
        }
        return rates
    }

    private static func tuning(_ random: inout SimulationRandom) -> SyncTuning {
        var tuning = SyncTuning()
        tuning.pushLimit = random.pick([1, 3, 500, 500])
        return tuning
    }

    private static func configuration(_ random: inout SimulationRandom) -> HubConfiguration {
        var configuration = HubConfiguration()
        configuration.limits.batchMutations = random.pick([1, 3, 20, 1_000])
        configuration.answerBytes = random.pick([1, 400, 4_000, 4 << 20])
        if random.chance(20) { configuration.limits.batchBytes = 9_000 }
        if random.chance(20) { configuration.limits.itemBytes = 700 }
        return configuration
    }

    private static func stimuli(_ random: inout SimulationRandom, _ active: Set<Fault>) -> [Stimulus] {
        let duration = Int64(random.pick([5_000, 30_000, 120_000]))
        var kinds: [Stimulus.Kind] = []
        kinds += Array(repeating: .edit, count: random.pick([20, 60, 150]))
        kinds += Array(repeating: .resolve, count: random.below(8))
        kinds += Array(repeating: .sync, count: random.below(4))
        kinds += Array(repeating: .network, count: random.below(4))
        kinds += Array(repeating: .retry, count: random.below(4))
        let most = random.pick([1, 2, 4])
        for fault in Fault.allCases where active.contains(fault) {
            let count = fault.forgets ? 1 + random.below(2) : 1 + random.below(2 * most)
            kinds += Array(repeating: .fault(fault), count: count)
        }
        kinds += Array(repeating: .backUpHub, count: 1 + random.below(3))
        kinds += Array(repeating: .backUpReplica, count: 1 + random.below(3))
        return kinds.enumerated().map { index, kind in
            Stimulus(
                index: index, time: Int64(random.below(Int(duration))), kind: kind,
                seed: seed(index, &random))
        }
    }

    private static func seed(_ index: Int, _ random: inout SimulationRandom) -> UInt64 { random.next() }
}
