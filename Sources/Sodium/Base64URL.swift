import CSodium

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648, section 5).
package enum Base64URL {
    private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

    package static func encode(_ bytes: [UInt8]) -> String {
        Library.ready()
        let capacity = sodium_base64_encoded_len(bytes.count, variant)
        return encoded(capacity: capacity) {
            _ = sodium_bin2base64($0, capacity, bytes, bytes.count, variant)
        }
    }

    /// `nil` unless the whole text is what `encode` gives: no padding, no blanks, no stray bits at the end.
    package static func decode(_ text: String) -> [UInt8]? {
        Library.ready()
        let capacity = text.utf8.count / 4 * 3 + 3
        return decoded(text, capacity: capacity) { bytes, text, count in
            sodium_base642bin(bytes, capacity, text.baseAddress, text.count, nil, &count, nil, variant)
        }
    }
}
