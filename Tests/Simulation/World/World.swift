import Platform
import TandemItems

/// One simulated world: a hub, replicas, the network between them, their clocks and disks, and what watches them.
///
/// Everything happens on the thread that runs it, one event after another; a seed decides the order. That is why the
/// classes of a world are marked as sendable without any lock.
final class World: @unchecked Sendable {
    let plan: Plan
    let executor = StepExecutor()
    private(set) var time: Int64 = 0
    private var queue = EventQueue()
    /// Decides delays and faults of messages.
    var random: SimulationRandom
    private(set) var violations: [Violation] = []
    private(set) var counts: [Fault: Int] = [:]
    private(set) var eventCount = 0
    /// Faults are over.
    var isCalm = false
    /// Nothing starts any more.
    private(set) var isFinished = false
    var hasForgotten = false
    private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
    let isTracing: Bool
    private(set) var trace: [String] = []

    var hub: SimulatedHub!  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var network: Network!  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var replicas: [SimulatedReplica] = []
    var oracle = Oracle()

    init(_ plan: Plan, isTracing: Bool = false) {
        self.plan = plan
        self.isTracing = isTracing
        random = SimulationRandom(seed: plan.seed ^ 0x9E6D_62D0_6F6A_9A9B)
        network = Network(self)
        hub = SimulatedHub(self)
    }

    func note(_ text: @autoclosure () -> String) {
        guard isTracing else { return }
        trace.append("\(time) \(text())")
    }

    func violate(_ rule: Violation.Rule, _ message: @autoclosure () -> String) {
        guard violations.count < 20 else { return }
        let violation = Violation(rule, message())
        note("VIOLATION \(violation)")
        violations.append(violation)
    }

    func count(_ fault: Fault) {
        counts[fault, default: 0] += 1
        if fault.forgets { hasForgotten = true }
    }

    /// Whether a fault of a message happens now.
    func strikes(_ fault: Fault) -> Bool {
        let rate = plan.rates[fault] ?? 0
        guard !isCalm, rate > 0, random.below(1_000) < rate else { return false }
        count(fault)
        return true
    }

    // MARK: Time

    func after(_ milliseconds: Int64, _ action: @escaping () -> Void) {
        queue.insert(.init(time: time + milliseconds, tie: random.next(), action: action))
    }

    /// Starts a task whose every step the scheduler decides.
    @discardableResult
    func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await body() }  // Ends by itself; the world drains it.
    }

    /// Waits until the scheduler goes on, now and then not at all.
    func pause() async {
        guard !isCalm || random.below(4) == 0, random.below(2) == 0 else { return }
        await withCheckedContinuation { continuation in
            after(Int64(random.below(4))) { continuation.resume() }
        }
    }

    /// Runs a task to its end while nothing else happens; it must not wait for the scheduler.
    func runAtOnce(_ body: @escaping @Sendable () async -> Void) {
        spawn(body)
        executor.drain()
    }

    /// Lets the next event happen; false where none is left up to `limit`.
    func step(until limit: Int64) -> Bool {
        executor.drain()
        guard let next = queue.nextTime, next <= limit, let event = queue.removeFirst() else { return false }
        time = max(time, event.time)
        eventCount += 1
        fingerprint = (fingerprint ^ UInt64(bitPattern: time)) &* 0x100_0000_01b3
        event.action()
        executor.drain()
        return true
    }

    /// Lets time pass in which nothing happens; false where nothing will ever happen any more.
    func advance(to target: Int64) -> Bool {
        time = max(time, target)
        return !queue.isEmpty
    }

    /// Lets everything happen that waits, so that no task is left behind.
    func finish() {
        isFinished = true
        for replica in replicas { replica.kill() }
        while let event = queue.removeFirst() {
            event.action()
            executor.drain()
        }
    }
}

/// A small generator (SplitMix64, Steele, Lea and Flood 2014), as a value.
struct SimulationRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
