import Simulation

/// One schedule, played again.
struct Replay {
    let options: Options
    let seed: UInt64

    /// Whether it holds.
    func run() -> Bool {
        let plan = Plan(seed: seed, only: options.only, without: options.without)
        let report = Schedule.play(plan, isTracing: options.isTracing)
        for line in report.trace { print(line) }
        for violation in report.violations { print(violation) }
        print("\(report.events) events, fingerprint \(String(report.fingerprint, radix: 16))")
        if options.shrinks, let violation = report.violations.first { shrink(violation) }
        return report.violations.isEmpty
    }

    private func shrink(_ violation: Violation) {
        let small = Shrinker.shrink(seed, violation)
        let kept = small.kept.sorted().map(String.init).joined(separator: ",")
        let without = small.without.map(\.rawValue).sorted().joined(separator: ",")
        print("shrunk to \(small.kept.count) stimuli in \(small.replays) replays: \(small.violation)")
        print("scripts/simulate --seed \(seed) --only \(kept)" + (without.isEmpty ? "" : " --without \(without)"))
    }
}
