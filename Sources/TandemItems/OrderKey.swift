/// Fractional keys: where an item stands among others, as a text that is compared bytewise.
///
/// A key between two others exists unless they are neighbours in the bytewise order itself; then the place behind the
/// next distinct key is taken. Keys end in random digits, so that two replicas which move items to one place at once
/// do not make equal keys. A key keeps its length over some tens of moves to one place, then grows by a few bytes.
public enum OrderKey {
    private static let lowest = UInt8(ascii: "!")
    private static let highest = UInt8(ascii: "~")
    private static let jitterDigits = 4

    /// A key between two others, or before the first (`low` is nil), or after the last (`high` is nil).
    ///
    /// - Parameter random: a random word, the source of the last digits.
    public static func between(_ low: String?, _ high: String?, random: UInt64) -> String {
        let low = Array((low ?? "").utf8)
        let high = high.map { Array($0.utf8) }
        let jitter = jitter(random)
        let isBetween = { (key: [UInt8]) in
            low.lexicographicallyPrecedes(key) && (high.map { key.lexicographicallyPrecedes($0) } ?? true)
        }
        var stems = [stepped(low, by: 1), high.flatMap { stepped($0, by: -1) }, low]
        if let high, high.starts(with: low) { stems.append(low + half(Array(high[low.count...]))) }
        let key = stems.compactMap { $0.map { $0 + jitter } }.first(where: isBetween)
        return String(decoding: key ?? (high ?? low) + jitter, as: UTF8.self)
    }

    /// The key of the `index`th item that is added at the end in one go, in an order that its id does not tell.
    public static func appended(at time: Timestamp, index: Int) -> String {
        let id = ItemID.minted(at: time, random: (0, 0)).text
        let digits = String(index, radix: 36)
        return id.prefix(13) + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// The neighbouring stem of the same length, where the key has room for the digits and its digit can step.
    private static func stepped(_ key: [UInt8], by step: Int) -> [UInt8]? {
        let place = key.count - jitterDigits
        guard place > 0, key.allSatisfy({ $0 < 0x80 }) else { return nil }
        let digit = Int(key[place]) + step
        guard (Int(lowest) + 1...Int(highest)).contains(digit) else { return nil }
        return Array(key[..<place]) + [UInt8(digit)]
    }

    /// A text that sorts before `bound` and, with any digits behind it, still does.
    private static func half(_ bound: [UInt8]) -> [UInt8] {
        var stem: [UInt8] = []
        for byte in bound {
            guard byte <= lowest else {
                stem.append(lowest + (min(byte, highest) - lowest) / 2)
                return stem
            }
            stem.append(byte)
        }
        return stem
    }

    /// Digits that are never the lowest, so that there is always room before the key.
    private static func jitter(_ random: UInt64) -> [UInt8] {
        let span = UInt64(highest - lowest)
        return (0..<jitterDigits).map { lowest + 1 + UInt8((random >> ($0 * 16) & 0xFFFF) % span) }
    }
}
