import CSodium

/// BLAKE2b (RFC 7693) of bytes that come in parts. Owns libsodium's state, so it cannot be copied, and `finalize`
/// consumes it; `copy()` is for the digest of what came so far.
package struct BLAKE2b: ~Copyable {
    private let state: UnsafeMutableRawPointer
    private let size: Int

    /// - Parameters:
    ///   - size: bytes of the digest, 1 to 64.
    ///   - key: up to 64 bytes.
    package init(size: Int = 32, key: [UInt8] = []) {
        precondition((1...64).contains(size) && key.count <= 64)
        Library.ready()
        self.init(size: size, state: Self.allocateState())
        let code = crypto_generichash_blake2b_init(typed, key.isEmpty ? nil : key, key.count, size)
        precondition(code == 0)
    }

    private init(size: Int, state: UnsafeMutableRawPointer) {
        self.size = size
        self.state = state
    }

    deinit {
        sodium_memzero(state, crypto_generichash_blake2b_statebytes())
        state.deallocate()
    }

    package mutating func update(_ bytes: [UInt8]) {
        crypto_generichash_blake2b_update(typed, bytes, UInt64(bytes.count))
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer {
            _ = crypto_generichash_blake2b_update(typed, $0.baseAddress, UInt64($0.count))
        }
    }

    /// The UTF-8 bytes of the text. Texts that follow one another are not told apart: write a length or an end first.
    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { _ = crypto_generichash_blake2b_update(typed, $0.baseAddress, UInt64($0.count)) }
    }

    package func copy() -> BLAKE2b {
        let copy = BLAKE2b(size: size, state: Self.allocateState())
        copy.state.copyMemory(from: state, byteCount: crypto_generichash_blake2b_statebytes())
        return copy
    }

    package consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        // The state lives as long as `self`, which must not end before the call does.
        withExtendedLifetime(self) { _ = crypto_generichash_blake2b_final($0.typed, &digest, $0.size) }
        return digest
    }

    private var typed: OpaquePointer { OpaquePointer(state) }

    private static func allocateState() -> UnsafeMutableRawPointer {
        // Aligned as in libsodium's header.
        .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
    }
}
