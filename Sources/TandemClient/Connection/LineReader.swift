/// Takes bytes as they come and gives the lines that they complete; empty lines are left out.
struct LineReader {
    private var rest: [UInt8] = []

    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + bytes[start..<end]
            if !line.isEmpty { lines.append(line) }
            rest.removeAll()
            start = end + 1
        }
        rest += bytes[start...]
        return lines
    }

    /// The last line, where it has no end.
    mutating func end() -> [UInt8]? {
        defer { rest.removeAll() }
        return rest.isEmpty ? nil : rest
    }
}
