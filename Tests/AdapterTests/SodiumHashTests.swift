import Sodium
import Testing

@Suite struct BLAKE2bTests {
    /// RFC 7693, appendix A.
    private static let abc = """
        ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
        7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
        """

    struct Known: Sendable {
        var bytes: [UInt8]
        var size: Int
        var key: [UInt8] = []
        var digest: String
    }

    /// The first is the RFC's; the others were computed with another implementation, Python's hashlib.
    static let known = [
        Known(bytes: Array("abc".utf8), size: 64, digest: abc),
        Known(bytes: [], size: 32, digest: "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
        Known(
            bytes: Array("abc".utf8), size: 32,
            digest: "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
        Known(bytes: [UInt8](repeating: 0x61, count: 300), size: 16, digest: "ccc6f168e83a9fcfde99f7d9ddeeae49"),
        Known(
            bytes: Array(0...255), size: 32, key: Array(0...63),
            digest: "1ee3b6312b4e0f0b9663b812b8c129e6d45c410b1c9c5a1667bfc6dd951db79f"),
        Known(bytes: Array("tandem".utf8), size: 1, key: Array("k".utf8), digest: "e1"),
    ]

    @Test(arguments: known)
    func digestIsTheKnownOne(known: Known) {
        #expect(Hex.encode(Hash.blake2b(known.bytes, size: known.size, key: known.key)) == known.digest)
    }

    @Test(arguments: known, [1, 7, 128, 129])
    func digestOfPartsIsThatOfTheWhole(known: Known, part: Int) {
        var hash = BLAKE2b(size: known.size, key: known.key)
        for start in stride(from: 0, to: known.bytes.count, by: part) {
            hash.update(Array(known.bytes[start...].prefix(part)))
        }
        #expect(Hex.encode(hash.finalize()) == known.digest)
    }

    @Test func bytesSpansAndTextAreHashedAlike() {
        var hash = BLAKE2b(size: 64)
        let bytes = Array("b".utf8)
        hash.update("a")
        hash.update(bytes.span)
        hash.update("")
        hash.update(Array("c".utf8))
        #expect(Hex.encode(hash.finalize()) == Self.abc)
    }

    @Test func copyGoesItsOwnWay() {
        var hash = BLAKE2b(size: 64)
        hash.update("ab")
        var copy = hash.copy()
        copy.update("d")
        hash.update("c")
        #expect(Hex.encode(hash.finalize()) == Self.abc)
        #expect(copy.finalize() == Hash.blake2b(Array("abd".utf8), size: 64))
    }
}

@Suite struct RandomBytesTests {
    @Test(arguments: [0, 1, 16, 4096])
    func lengthIsAsAsked(count: Int) {
        #expect(RandomBytes.make(count).count == count)
    }

    @Test func twoDrawsDiffer() {
        #expect(RandomBytes.make(16) != RandomBytes.make(16))
    }
}

@Suite struct ConstantTimeTests {
    @Test func equalityIsThatOfTheBytes() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 0]))
    }
}
