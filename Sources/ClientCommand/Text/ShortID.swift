import TandemClient

/// Ids as people read and type them: minted ids share their beginnings, so these are cut to a unique end.
struct ShortIDs {
    /// Fewest characters of a minted id.
    static let shortest = 4
    /// Characters of a minted id that stands alone: others may be near.
    static let alone = 6
    /// Other ids that are longer than this are cut to a unique beginning.
    private static let longestWhole = 16

    private let short: [ItemID: String]

    /// The shortest forms by which these ids, of all that are shown, can be told apart.
    init(_ ids: [ItemID]) {
        let sorted = ids.map { Array($0.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        let ends = ids.filter(\.isUUID).map { Array($0.text.utf8.reversed()) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        var short: [ItemID: String] = [:]
        for id in ids {
            let bytes = Array(id.text.utf8)
            short[id] = id.isUUID ? Self.end(bytes, ends, sorted) : Self.beginning(bytes, sorted)
        }
        self.short = short
    }

    /// The short form; of an id that was not given at the start, that of one which stands alone.
    subscript(id: ItemID) -> String { short[id] ?? Self.alone(id) }

    /// The form of an id beside which no others are shown.
    static func alone(_ id: ItemID) -> String { id.isUUID ? String(id.text.suffix(alone)) : id.text }

    private static func end(_ bytes: [UInt8], _ ends: [[UInt8]], _ sorted: [[UInt8]]) -> String {
        let needed = distinctLength(of: Array(bytes.reversed()), among: ends)
        for length in max(shortest, needed)..<max(shortest, needed, bytes.count) {
            let end = bytes.suffix(length)
            let isPlain = end.first != UInt8(ascii: "-") && !isBeginning(Array(end), in: sorted)
            if isPlain { return String(decoding: end, as: UTF8.self) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func beginning(_ bytes: [UInt8], _ sorted: [[UInt8]]) -> String {
        let whole = String(decoding: bytes, as: UTF8.self)
        let length = max(longestWhole, distinctLength(of: bytes, among: sorted))
        guard length < bytes.count, bytes.allSatisfy({ $0 < 0x80 }) else { return whole }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    /// How many bytes tell one of a sorted array from its neighbours.
    private static func distinctLength(of bytes: [UInt8], among sorted: [[UInt8]]) -> Int {
        let place = firstIndex(notBefore: bytes, in: sorted)
        let neighbours = [place - 1, place + 1].filter { sorted.indices.contains($0) }
        let shared = neighbours.map { zip(sorted[$0], bytes).prefix { $0 == $1 }.count }
        return (shared.max() ?? 0) + 1
    }

    private static func isBeginning(_ bytes: [UInt8], in sorted: [[UInt8]]) -> Bool {
        let place = firstIndex(notBefore: bytes, in: sorted)
        return place < sorted.count && sorted[place].starts(with: bytes)
    }

    private static func firstIndex(notBefore bytes: [UInt8], in sorted: [[UInt8]]) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].lexicographicallyPrecedes(bytes) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Random ids (of conflicts and quarantined edits), cut to the shortest unique beginning of 4 or more characters.
struct ShortTexts {
    private let all: [String]

    init(_ all: [String]) { self.all = all }

    subscript(text: String) -> String {
        let others = all.filter { $0 != text }
        let shared = others.map { zip($0.utf8, text.utf8).prefix { $0 == $1 }.count }.max() ?? 0
        return String(text.prefix(max(ShortIDs.shortest, shared + 1)))
    }
}
