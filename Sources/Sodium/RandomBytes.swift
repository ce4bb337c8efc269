import CSodium

/// Unpredictable bytes from the system, good for keys, tokens and nonces.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        Library.ready()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}
