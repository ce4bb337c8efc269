import Foundation

/// A small generator (SplitMix64) that gives the same numbers for the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Below `bound`. Cheaper than the library's unbiased way, and its bias does not matter in a test.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }

    /// True in so many of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// The seed that `TANDEM_SEED` asks to replay, or a new one. Failures name it.
    static let seed: UInt64 = {
        let seed = ProcessInfo.processInfo.environment["TANDEM_SEED"].flatMap { UInt64($0) }
        let chosen = seed ?? UInt64.random(in: 1...999_999_999)
        print("TANDEM_SEED=\(chosen) replays the random tests of TandemItems")
        return chosen
    }()
}
