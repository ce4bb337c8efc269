import CSodium

/// Comparison that does not tell by its duration where two secrets differ.
package enum ConstantTime {
    /// Only the lengths may be guessed from the duration.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        Library.ready()
        return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }
}
