import Foundation
import Testing

@testable import TandemItems

@Suite struct MergePropertyTests {
    private static let schedules = 10_000

    @Test(.timeLimit(.minutes(5)))
    func randomSchedulesKeepEveryPromise() async throws {
        let seed = SeededRandom.seed
        let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let broken = try await withThrowingTaskGroup { group in
            for worker in 0..<workers {
                group.addTask {
                    try stride(from: worker, to: Self.schedules, by: workers).compactMap { number in
                        let own = seed &+ UInt64(number)
                        let violations = try MergeSchedule.violations(seed: own)
                        return violations.isEmpty ? nil : (seed: own, violations: violations)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let kinds = Dictionary(broken.flatMap { $0.violations }.map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        let examples = broken.sorted { $0.seed < $1.seed }.prefix(3).map { "TANDEM_SEED=\($0.seed): \($0.violations)" }
        #expect(broken.isEmpty, "\(broken.count) schedules broke a promise: \(kinds) \(examples)")
    }

    /// Rules that are broken on purpose, and the promises that each breaks first.
    private static let broken: [(BrokenRule, Set<Violation>)] = [
        (.everythingCountsAsSeen, [.valueLost]),
        (.nothingCountsAsSeen, [.falseConflict]),
        (.loserIsDropped, [.valueLost]),
        (.deleteAlwaysWins, [.editHidden]),
        (.editStaysHidden, [.editHidden]),
        (.unseenConflictIsClosed, [.conflictClosedUnseen]),
        (.blendIsForgotten, [.valueLost]),
        (.blendIsOverstated, [.falseConflict]),
        (.incrementReplaces, [.valueLost]),
        (.laterClockBeatsWriteThatSaw, [.valueReturned]),
        (.ledgerIsIgnored, [.appliedTwice]),
        (.olderVersionIsApplied, [.diverged]),
    ]

    @Test(.timeLimit(.minutes(5)), arguments: broken)
    func oracleCatchesBrokenRule(_ broken: BrokenRule, _ expected: Set<Violation>) throws {
        for seed in 0..<200 as Range<UInt64> {
            if try !MergeSchedule.violations(seed: seed, rule: broken.rule).isDisjoint(with: expected) { return }
        }
        Issue.record("200 schedules show nothing of it")
    }
}
