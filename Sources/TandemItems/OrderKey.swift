/// Fractional keys: where an item stands among others, as a text that is compared bytewise.
///
/// A key between two others exists unless they are equal or neighbours in the bytewise order itself; then the place
/// behind the next distinct key is taken. Keys end in random digits, so that two replicas which move items to one place
/// at once do not make equal keys. Of the keys that fit the shortest is taken: moving to one place again and again
/// lengthens them by a byte in some 46 moves.
///
/// Only the last digits of a key are stepped, never its start: what is moved behind an item with a minted id
/// (``ItemID/minted(at:random:)``) stays before the items that are made later.
public enum OrderKey {
    private static let lowest = UInt8(ascii: "!")
    private static let highest = UInt8(ascii: "~")
    private static let jitterDigits = 4

    /// A key between two others, or before the first (`low` is nil), or after the last (`high` is nil).
    ///
    /// - Parameters:
    ///   - low: the key before the place.
    ///   - high: the key behind it.
    ///   - random: a random word, the source of the last digits.
    public static func between(_ low: String?, _ high: String?, random: UInt64) -> String {
        let low = Array((low ?? "").utf8)
        let high = high.map { Array($0.utf8) }
        let jitter = jitter(random)
        var best: [UInt8]?
        for stem in stems(low, high) where stem.count + jitterDigits < best?.count ?? .max {
            let key = stem + jitter
            let isBetween = low.lexicographicallyPrecedes(key) && high.map(key.lexicographicallyPrecedes) ?? true
            if isBetween { best = key }
        }
        return String(decoding: best ?? (high ?? low) + jitter, as: UTF8.self)
    }

    /// The key of the `index`th item that is added at the end in one go, in an order that its id does not tell. It
    /// stands behind the items with ids minted up to `time`, and before those with ids minted later.
    public static func appended(at time: Timestamp, index: Int) -> String {
        let id = ItemID.minted(at: time, random: (0, 0)).text
        let digits = String(index, radix: 36)
        return id.prefix(13) + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Beginnings of keys that may lie between; whether they do, with their last digits, is still to be seen.
    private static func stems(_ low: [UInt8], _ high: [UInt8]?) -> [[UInt8]] {
        var stems = steps(low, by: 1)
        if let high { stems += steps(high, by: -1) }
        stems.append(low)
        if let high, high.starts(with: low) { stems += openings(before: Array(high[low.count...])).map { low + $0 } }
        return stems
    }

    /// The neighbouring stems of a key: one of its last digits, up to the one before the random ones, steps by one,
    /// and what follows is left out.
    private static func steps(_ key: [UInt8], by step: Int) -> [[UInt8]] {
        let places = max(0, key.count - jitterDigits - 1)..<key.count
        return places.compactMap { place in
            let digit = Int(key[place]) + step
            guard key[place] < 0x80, (Int(lowest) + 1...Int(highest)).contains(digit) else { return nil }
            return Array(key[..<place]) + [UInt8(digit)]
        }
    }

    /// Texts that sort before `bound` and, with any digits behind them, still do: one with the first byte that leaves
    /// room halved, and, for a bound that has no such byte, one that ends below the digits.
    private static func openings(before bound: [UInt8]) -> [[UInt8]] {
        if let place = bound.firstIndex(where: { $0 > lowest }) {
            return [bound[..<place] + [lowest + (min(bound[place], highest) - lowest) / 2]]
        }
        guard let place = bound.lastIndex(where: { $0 > 1 }) else { return [] }
        return [bound[..<place] + [bound[place] - 1]]
    }

    /// Digits that are never the lowest, so that there is always room before the key.
    private static func jitter(_ random: UInt64) -> [UInt8] {
        let span = UInt64(highest - lowest)
        return (0..<jitterDigits).map { lowest + 1 + UInt8((random >> ($0 * 16) & 0xFFFF) % span) }
    }
}
