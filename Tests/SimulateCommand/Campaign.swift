import Glibc
import Simulation
import Synchronization

/// The seed that is being played, for the message of a trap: a fault of the product may end the process.
private let current = Atomic<UInt64>(0)

/// Many schedules, one after another.
struct Campaign {
    let options: Options

    /// Whether none failed.
    func run() -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] { installTrap(signal) }
        let began = ContinuousClock.now
        var counts: [Fault: Int] = [:]
        var (events, failures) = (0, 0)
        for index in 0..<options.seeds {
            let seed = options.start + index * options.stride
            current.store(seed, ordering: .relaxed)
            let report = Schedule.play(Plan(seed: seed, without: options.without))
            events += report.events
            counts.merge(report.faults, uniquingKeysWith: +)
            guard let violation = report.violations.first else { continue }
            failures += 1
            print("failed: scripts/simulate --seed \(seed)\(withoutText)  \(violation.description.prefix(300))")
            fflush(nil)
        }
        report(counts, events, failures, ContinuousClock.now - began)
        return failures == 0
    }

    private var withoutText: String {
        options.without.isEmpty ? "" : " --without " + options.without.map(\.rawValue).sorted().joined(separator: ",")
    }

    private func report(_ counts: [Fault: Int], _ events: Int, _ failures: Int, _ time: Duration) {
        if options.isPart {
            let faults = counts.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: " ")
            return print("part: schedules=\(options.seeds) events=\(events) failures=\(failures) \(faults)")
        }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        print("\(options.seeds) schedules, \(failures) failed, \(events) events")
        print("\(Int(Double(options.seeds) / max(seconds, 0.001))) schedules a second")
        for (fault, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { print("  \(fault.rawValue) \(count)") }
    }
}

/// A trap says which seed it was.
private func installTrap(_ number: Int32) {
    signal(number) { number in
        print("failed: scripts/simulate --seed \(current.load(ordering: .relaxed))  ended by signal \(number)")
        fflush(nil)
        _exit(3)
    }
}
