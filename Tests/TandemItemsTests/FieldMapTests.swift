import Testing

@testable import TandemItems

@Suite struct FieldMapTests {
    private static let names: [FieldName] = [
        "a", "b", "aa", "ab", "z", "Z", "\u{E9}", "e\u{301}", "e", "🎉", "\u{E000}", "order", "deleted", "0",
    ]

    /// Whatever is done to it, it is a dictionary of the names' bytes, sorted by them.
    @Test func behavesAsDictionaryOfBytes() {
        for number in 0..<200 {
            let seed = SeededRandom.seed &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            var map = FieldMap<Int>()
            var model: [[UInt8]: Int] = [:]
            for _ in 0..<random.below(60) {
                let name = random.pick(Self.names)
                let value = random.chance(70) ? random.below(9) : nil
                map[name] = value
                model[Array(name.text.utf8)] = value
            }
            let isSame =
                map.entries.map { Array($0.name.text.utf8) }
                == model.keys.sorted { $0.lexicographicallyPrecedes($1) }
                && map.count == model.count && map.isEmpty == model.isEmpty
                && Self.names.allSatisfy { map[$0] == model[Array($0.text.utf8)] }
                && map.names == map.entries.map(\.name)
            #expect(isSame, "TANDEM_SEED=\(seed)")
        }
    }

    @Test func orderOfInsertionDoesNotMatter() {
        let left: FieldMap = ["b": 1, "a": 2, "c": 3]
        let right: FieldMap = ["c": 3, "a": 2, "b": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 2, "b": 1])
        #expect(left != ["a": 2, "b": 1, "c": 4])
        #expect(left != ["a": 2, "b": 1, "d": 3])
    }

    @Test func laterOfTwoLiteralValuesStays() {
        let map: FieldMap = ["a": 1, "b": 2, "a": 3]
        #expect(map["a"] == 3)
        #expect(map.count == 2)
    }
}
