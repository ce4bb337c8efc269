/// Makes a failing schedule small: leaves out kinds of faults, then stimuli, as long as one promise that was broken
/// still is.
package struct Shrinker {
    /// A smaller schedule and what it breaks.
    package struct Result: Sendable {
        package var kept: Set<Int>
        package var without: Set<Fault>
        package var violation: Violation
        package var replays: Int
    }

    private let seed: UInt64
    private var left: Int
    private let budget: Int
    private var result: Result

    /// - Parameter budget: how many schedules may be played for it.
    package static func shrink(_ seed: UInt64, _ violation: Violation, budget: Int = 300) -> Result {
        var shrinker = Shrinker(seed, violation, budget)
        shrinker.dropFaults()
        shrinker.dropStimuli()
        shrinker.result.replays = budget - shrinker.left
        return shrinker.result
    }

    private init(_ seed: UInt64, _ violation: Violation, _ budget: Int) {
        self.seed = seed
        self.budget = budget
        left = budget
        result = Result(
            kept: Set(Plan(seed: seed).stimulusNumbers), without: [], violation: violation, replays: 0)
    }

    /// Whether the smaller schedule breaks the same promise; then it is taken.
    private mutating func tries(_ kept: Set<Int>, _ without: Set<Fault>) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        let report = Schedule.play(Plan(seed: seed, only: kept, without: without))
        guard let violation = report.violations.first(where: { $0.rule == result.violation.rule }) else { return false }
        result.kept = kept
        result.without = without
        result.violation = violation
        return true
    }

    private mutating func dropFaults() {
        for fault in Fault.allCases { _ = tries(result.kept, result.without.union([fault])) }
    }

    /// Leaves out ever smaller parts (delta debugging, Zeller and Hildebrandt 2002).
    private mutating func dropStimuli() {
        var size = max(1, result.kept.count / 2)
        while left > 0 {
            var hasShrunk = false
            for part in result.kept.sorted().parts(of: size) where left > 0 {
                if tries(result.kept.subtracting(part), result.without) { hasShrunk = true }
            }
            if size == 1, !hasShrunk { return }
            if !hasShrunk { size = max(1, size / 2) }
        }
    }
}

extension Array {
    fileprivate func parts(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
