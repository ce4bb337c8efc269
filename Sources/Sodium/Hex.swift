import CSodium

/// Hexadecimal text.
package enum Hex {
    /// Lower case.
    package static func encode(_ bytes: [UInt8]) -> String {
        Library.ready()
        let capacity = bytes.count * 2 + 1
        return encoded(capacity: capacity) { _ = sodium_bin2hex($0, capacity, bytes, bytes.count) }
    }

    /// `nil` unless the whole text is an even number of digits, in either case.
    package static func decode(_ text: String) -> [UInt8]? {
        Library.ready()
        let capacity = text.utf8.count / 2
        return decoded(text, capacity: capacity) { bytes, text, count in
            sodium_hex2bin(bytes, capacity, text.baseAddress, text.count, nil, &count, nil)
        }
    }
}
