import Platform
import TestSupport
import Testing

@Suite("ManualTime", .timeLimit(.minutes(5)))
struct ManualTimeTests {
    private let time = ManualTime(now: 1_000)

    @Test func bothClocksAdvanceTogether() {
        time.advance(by: .milliseconds(1_500))
        #expect(time.now == 2_500)
        #expect(time.monotonic == .milliseconds(1_500))
    }

    @Test func wallClockJumpsAlone() {
        time.advance(by: .seconds(1))
        time.setWallClock(-5)
        #expect(time.now == -5)
        #expect(time.monotonic == .seconds(1))
        time.advance(by: .seconds(1))
        #expect(time.now == 995)
    }

    @Test func sleepersWakeInOrderOfTheirDeadlines() async throws {
        try await withThrowingTaskGroup { group in
            for (index, seconds) in [3, 1, 2].enumerated() {
                group.addTask {
                    try await time.sleep(for: .seconds(seconds))
                    return seconds
                }
                await time.sleepers(atLeast: index + 1)
            }
            for count in 1...3 {
                #expect(time.advanceToNextSleeper())
                let woken = try await group.next()
                #expect(woken == count)
                #expect(time.monotonic == .seconds(count))
            }
        }
        #expect(!time.advanceToNextSleeper())
    }

    @Test func sleeperStaysAsleepBeforeItsDeadline() async throws {
        let task = Task { try await time.sleep(for: .seconds(10)) }
        await time.sleepers(atLeast: 1)
        time.advance(by: .milliseconds(9_999))
        #expect(time.sleeperCount == 1)
        time.advance(by: .milliseconds(1))
        try await task.value
    }

    @Test func cancelledSleeperWakesWithAnError() async {
        let task = Task { try await time.sleep(for: .seconds(10)) }
        await time.sleepers(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.sleeperCount == 0)
    }

    @Test func cancelledTaskDoesNotFallAsleep() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await time.sleep(for: .seconds(10))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func sleepOfNoTimeReturns() async throws {
        try await time.sleep(for: .zero)
        try await time.sleep(for: .seconds(-1))
    }
}

@Suite("SystemTime", .timeLimit(.minutes(5)))
struct SystemTimeTests {
    @Test func sleepTakesAtLeastItsDuration() async throws {
        let time = SystemTime()
        let start = time.monotonic
        // The subject of the test, not a wait for something else.
        try await time.sleep(for: .milliseconds(5))
        #expect(time.monotonic - start >= .milliseconds(5))
        #expect(time.now > 1_700_000_000_000)
    }

    @Test(
        arguments: [
            (Duration.milliseconds(1_500), 1_500), (.microseconds(-1_500), -1), (.zero, 0),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        ] as [(Duration, Int64)])
    func millisecondsAreCutAndBounded(duration: Duration, milliseconds: Int64) {
        #expect(duration.milliseconds == milliseconds)
    }
}

@Suite("RandomSource")
struct RandomSourceTests {
    /// The first numbers for seed 1234567 of the reference implementation, as published with many ports of it.
    @Test func seededNumbersAreThoseOfSplitMix64() {
        let random = SeededRandom(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func bytesAreTheNumbersLowestFirst() {
        let number = SeededRandom(seed: 7).next()
        let bytes = SeededRandom(seed: 7).bytes(8)
        #expect(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == number)
        #expect(SeededRandom(seed: 7).bytes(3) == Array(bytes.prefix(3)))
        #expect(SeededRandom(seed: 7).bytes(0).isEmpty)
    }

    @Test func generatorDrawsFromTheSource() {
        var first = SeededRandom(seed: 3).generator
        var second = SeededRandom(seed: 3).generator
        #expect((1...20).shuffled(using: &first) == (1...20).shuffled(using: &second))
    }

    @Test func systemNumbersDiffer() {
        #expect(SystemRandom().bytes(16) != SystemRandom().bytes(16))
    }

    @Test func seedOfTheEnvironmentIsReplayed() {
        #expect(TestSeed.make(environment: ["TANDEM_SEED": "42"]) == 42)
    }
}
