import CSodium

/// One-shot hashes.
package enum Hash {
    /// BLAKE2b (RFC 7693) of all bytes at once.
    /// - Parameters:
    ///   - size: bytes of the digest, 1 to 64. Digests of different sizes are unrelated, not cut from one another.
    ///   - key: up to 64 bytes; with one, the digest is a message authentication code.
    package static func blake2b(_ bytes: [UInt8], size: Int = 32, key: [UInt8] = []) -> [UInt8] {
        precondition((1...64).contains(size) && key.count <= 64)
        Library.ready()
        var digest = [UInt8](repeating: 0, count: size)
        let code = crypto_generichash_blake2b(
            &digest, size, bytes, UInt64(bytes.count), key.isEmpty ? nil : key, key.count)
        precondition(code == 0)
        return digest
    }
}
