import Testing

@testable import TandemItems

@Suite struct OrderKeyTests {
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func isBetween(_ key: String, _ low: String?, _ high: String?) -> Bool {
        low.map { precedes($0, key) } ?? true && high.map { precedes(key, $0) } ?? true
    }

    private static func anyID(_ random: inout SeededRandom) -> String {
        switch random.below(4) {
        case 0:
            ItemID.minted(at: Timestamp(milliseconds: Int64(random.below(3))), random: (random.next(), random.next()))
                .text
        case 1: String(random.below(200))
        case 2:
            (0...random.below(3)).map { _ in random.pick(["a", "b", "~", "!", " ", "\u{E9}", "e\u{301}", "🎉"]) }
                .joined()
        default: String((0...random.below(6)).map { _ in Character(Unicode.Scalar(UInt8(0x20 + random.below(95)))) })
        }
    }

    @Test func keyIsStrictlyBetweenAnyTwoIDs() {
        for number in 0..<5_000 {
            let seed = SeededRandom.seed &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            let ids = [Self.anyID(&random), Self.anyID(&random)].sorted(by: Self.precedes)
            let word = random.next()
            let places: [(String?, String?)] = [(ids[0], ids[1]), (nil, ids[0]), (ids[1], nil), (nil, nil)]
            for (low, high) in places where low == nil || high == nil || Self.precedes(ids[0], ids[1]) {
                let key = OrderKey.between(low, high, random: word)
                #expect(Self.isBetween(key, low, high), "TANDEM_SEED=\(seed): \(low ?? "") \(key) \(high ?? "")")
            }
        }
    }

    @Test(arguments: [
        ("1", "10"), ("1", "1!"), ("1", "1 "), ("1", "1\""), ("1", "1!!"), ("1", "1! "), ("1", "1 !"), ("1", "11"),
        ("a", "b"), ("a", "aa"), ("~", "~~"), ("~", "\u{E9}"), ("\u{E9}", "\u{E9}a"), ("e\u{301}", "\u{E9}"),
        ("\u{E9}", "\u{EA}"), ("🎉", "🎉🎉"), ("\u{10FFFE}", "\u{10FFFF}"), (" ", "!"), ("a", "a\u{1F}"),
    ])
    func keyIsBetweenClosePairs(_ low: String, _ high: String) {
        for word: UInt64 in [0, .max, 0x0001_0002_0003_0004] {
            #expect(Self.isBetween(OrderKey.between(low, high, random: word), low, high))
        }
    }

    @Test func equalNeighboursGiveThePlaceBehindThem() {
        for key in ["a", "0190abcd-1234-7fff-bfff-ffffffffffff", "\u{E9}", "~"] {
            #expect(Self.precedes(key, OrderKey.between(key, key, random: 7)))
        }
    }

    /// How keys grow when an item is moved to one place again and again.
    enum Place: String, CaseIterable {
        case top, end, behindFirst, beforeLast
    }

    private static let ids = (0..<3).map { number in
        var random = SeededRandom(seed: UInt64(number))
        return ItemID.minted(
            at: Timestamp(milliseconds: 1_800_000_000_000 + Int64(number)), random: (random.next(), random.next())
        ).text
    }

    /// Measured: at most 60 bytes from minted ids (36 bytes long), 33 from short ones.
    @Test(arguments: Place.allCases, [ids, ["1", "10", "2"], ["\u{E9}", "\u{EA}"], ["same", "samf"]])
    func thousandMovesToOnePlaceKeepTheKeyShort(_ place: Place, _ ids: [String]) {
        var random = SeededRandom(seed: SeededRandom.seed)
        var (low, high): (String?, String?) =
            switch place {
            case .top: (nil, ids.first)
            case .end: (ids.last, nil)
            case .behindFirst, .beforeLast: (ids.first, ids.last)
            }
        var longest = 0
        for _ in 0..<1_000 {
            let key = OrderKey.between(low, high, random: random.next())
            #expect(Self.isBetween(key, low, high))
            longest = max(longest, key.utf8.count)
            if place == .top || place == .behindFirst { high = key } else { low = key }
        }
        #expect(longest <= 72, "\(longest) bytes")
    }

    /// Measured: the longest key of 50 is 41 bytes, in 5 000 random moves.
    @Test func shufflingAListKeepsItsKeysShort() {
        var random = SeededRandom(seed: SeededRandom.seed)
        var keys = (0..<50).map { OrderKey.appended(at: 1_800_000_000_000, index: $0) }
        var longest = 0
        for _ in 0..<5_000 {
            keys.remove(at: random.below(keys.count))
            let place = random.below(keys.count + 1)
            let low = place > 0 ? keys[place - 1] : nil
            let high = place < keys.count ? keys[place] : nil
            keys.insert(OrderKey.between(low, high, random: random.next()), at: place)
            longest = max(longest, keys[place].utf8.count)
        }
        #expect(zip(keys, keys.dropFirst()).allSatisfy(Self.precedes))
        #expect(longest <= 100, "\(longest) bytes")
    }

    /// Always between the last two that were moved, the worst that can be asked for. Measured: 86 bytes after 200 moves.
    @Test func narrowingGrowsTheKeySlowly() {
        var random = SeededRandom(seed: SeededRandom.seed)
        var (low, high) = ("a", "b")
        for number in 0..<200 {
            let key = OrderKey.between(low, high, random: random.next())
            #expect(Self.isBetween(key, low, high))
            if number.isMultiple(of: 2) { high = key } else { low = key }
        }
        #expect(low.utf8.count <= 200)
    }

    @Test func movesOfTwoReplicasToOnePlaceDiffer() {
        var random = SeededRandom(seed: 3)
        let keys = (0..<1_000).map { _ in OrderKey.between("a", "b", random: random.next()) }
        #expect(Set(keys).count > 990)
    }

    @Test func appendedKeysStandInTheirOrder() {
        let keys = [0, 1, 9, 10, 35, 36, 1_295, 1_296, 99_999, 999_999, 60_000_000].map {
            OrderKey.appended(at: 1_800_000_000_000, index: $0)
        }
        #expect(zip(keys, keys.dropFirst()).allSatisfy(Self.precedes))
        #expect(keys.allSatisfy { $0.utf8.count == 19 })
    }

    @Test func appendedKeysStandBetweenEarlierAndLaterIDs() {
        let time: Int64 = 1_800_000_000_000
        for word: UInt64 in [0, .max, 0x5555_5555_5555_5555] {
            for index in [0, 999_999] {
                let key = OrderKey.appended(at: Timestamp(milliseconds: time), index: index)
                for earlier in [time, time - 1, time - 1_000_000] {
                    #expect(
                        Self.precedes(
                            ItemID.minted(at: Timestamp(milliseconds: earlier), random: (word, word)).text, key))
                }
                #expect(
                    Self.precedes(key, ItemID.minted(at: Timestamp(milliseconds: time + 1), random: (word, word)).text))
            }
        }
    }

    @Test func whatIsMovedToTheEndStaysBeforeItemsMadeLater() {
        var random = SeededRandom(seed: SeededRandom.seed)
        var low = ItemID.minted(at: 1_800_000_000_000, random: (random.next(), random.next())).text
        let later = ItemID.minted(at: 1_800_000_000_001, random: (0, 0)).text
        for _ in 0..<1_000 { low = OrderKey.between(low, nil, random: random.next()) }
        #expect(Self.precedes(low, later))
    }
}
