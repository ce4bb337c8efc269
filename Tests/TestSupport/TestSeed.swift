import Platform

/// The seed of a random test: printed, so that a failure can be replayed with `TANDEM_SEED`.
package enum TestSeed {
    /// A new seed, or the one of the environment; `test` says in the output whose it is.
    package static func make(
        _ test: String = #function, environment: [String: String] = ProcessEnvironment.current
    ) -> UInt64 {
        let seed = environment["TANDEM_SEED"].flatMap(UInt64.init) ?? SystemRandom().next()
        print("\(test): seed \(seed), replay with TANDEM_SEED=\(seed)")
        return seed
    }
}
