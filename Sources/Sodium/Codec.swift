/// Runs one of libsodium's encoders into a text of `capacity` characters, the zero at its end included.
func encoded(capacity: Int, by encode: (_ text: UnsafeMutablePointer<CChar>) -> Void) -> String {
    var text = [CChar](repeating: 0, count: capacity)
    encode(&text)
    return text.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
}

/// Runs one of libsodium's decoders, which answer 0 only for a text that is valid to its end.
func decoded(
    _ text: String, capacity: Int,
    by decode: (_ bytes: UnsafeMutablePointer<UInt8>, _ text: UnsafeBufferPointer<CChar>, _ count: inout Int) -> Int32
) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count = 0
    var text = text
    let code = text.withUTF8 { $0.withMemoryRebound(to: CChar.self) { decode(&bytes, $0, &count) } }
    return code == 0 ? Array(bytes.prefix(count)) : nil
}
