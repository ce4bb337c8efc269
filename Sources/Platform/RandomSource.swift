import Synchronization

/// Randomness as it is passed in. Not for secrets: tokens and keys come from libsodium.
package protocol RandomSource: Sendable {
    /// 64 uniform bits. May be called from any thread.
    func next() -> UInt64
}

extension RandomSource {
    /// Uniform bytes, drawn eight at a time and lowest first, so that a seed gives the same bytes everywhere.
    package func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count + 7)
        while result.count < count {
            let word = next()
            for shift in stride(from: 0, to: 64, by: 8) { result.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(result.prefix(count))
    }

    /// A view for the standard library: `Int.random(in: 1...6, using: &generator)`, `shuffle(using:)`.
    package var generator: RandomSourceGenerator {
        RandomSourceGenerator(source: self)
    }
}

/// A `RandomSource` where the standard library wants a generator; copies draw from the same source.
package struct RandomSourceGenerator: RandomNumberGenerator {
    let source: any RandomSource

    package mutating func next() -> UInt64 {
        source.next()
    }
}

/// The kernel's random numbers.
package struct SystemRandom: RandomSource {
    package init() {}

    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

/// The same numbers for the same seed, in the order of the calls (splitmix64, Steele, Lea and Flood 2014).
package final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    package init(seed: UInt64) {
        state = Mutex(seed)
    }

    package func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}
