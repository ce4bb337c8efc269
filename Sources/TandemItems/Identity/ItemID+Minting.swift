extension ItemID {
    /// A new id: a UUID of version 7 (RFC 9562, section 5.7), so that ids minted later sort later.
    ///
    /// - Parameters:
    ///   - time: the time that the id tells; cut to 48 bits.
    ///   - random: two random words; 74 of their bits are used.
    public static func minted(at time: Timestamp, random: (UInt64, UInt64)) -> ItemID {
        let high = UInt64(truncatingIfNeeded: time.milliseconds) << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 >> 2
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return ItemID(minted: text)
    }

    /// Whether the id has the form of a UUID, as minted ones have: then its end tells it apart sooner than its beginning.
    package var isUUID: Bool {
        let bytes = text.utf8
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : Self.isHexadecimal(byte)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
