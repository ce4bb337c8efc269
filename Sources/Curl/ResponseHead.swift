import HTTP

/// Collects a response's status and headers from the lines that libcurl hands over one by one
/// (CURLOPT_HEADERFUNCTION(3)): interim answers (1xx) come first, trailers after the body.
struct ResponseHead {
    private(set) var status = Status(0)
    private(set) var headers = Headers()
    private(set) var isComplete = false

    /// `true` where the line ended the final answer's headers.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isComplete else { return false }
        let line = Self.trimmed(line[...])
        if line.isEmpty {
            isComplete = status.code >= 200
            return isComplete
        }
        if line.starts(with: "HTTP/".utf8) {
            headers = Headers()
            status = Status(Self.code(of: line))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let value = Self.trimmed(line[(colon + 1)...])
            headers.append(
                name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
        }
        return false
    }

    private static func code(of statusLine: Slice<UnsafeRawBufferPointer>) -> Int {
        let words = statusLine.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }

    private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
