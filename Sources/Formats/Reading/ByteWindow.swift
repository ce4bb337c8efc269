/// A place in a file, and how its line begins.
struct Place {
    /// Bytes before it.
    private(set) var offset = 0
    /// Line ends before it, plus 1.
    private(set) var line = 1
    /// How many spaces and tabs its line starts with; the bracket that opens the array counts as one.
    private(set) var indentation = 0
    /// Whether nothing but indentation stands before it on its line.
    private(set) var isLineHead = true

    /// Moves behind a byte.
    mutating func pass(_ byte: UInt8, isIndentation: Bool = false) {
        offset += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            indentation = 0
            isLineHead = true
        } else if isLineHead {
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isIndentation {
                indentation += 1
            } else {
                isLineHead = false
            }
        }
    }

    /// Moves behind a byte-order mark, which is no part of its line.
    mutating func passMark(bytes: Int) { offset += bytes }
}

/// The part of a file that is in memory: from the start of the record that is being read to the last byte that came.
struct ByteWindow {
    /// Where reading goes on.
    var place = Place()
    /// Whether the file ends with the last byte that came.
    var isComplete = false
    private var bytes: [UInt8] = []
    private var start = 0

    /// The byte at ``place``; `nil` where more must come, or at the end.
    var next: UInt8? {
        let index = place.offset - start
        return index < bytes.count ? bytes[index] : nil
    }

    /// The bytes from ``place`` on that are there.
    var rest: ArraySlice<UInt8> { bytes[(place.offset - start)...] }

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Passes over the byte at ``place``.
    mutating func advance(isIndentation: Bool = false) {
        place.pass(bytes[place.offset - start], isIndentation: isIndentation)
    }

    /// Forgets what stands before ``place``. Moves bytes only when that halves them, so that a file of any size costs
    /// a time in proportion.
    mutating func forget() {
        let passed = place.offset - start
        guard passed > 1 << 16, passed > bytes.count / 2 else { return }
        bytes.removeFirst(passed)
        start = place.offset
    }

    /// The bytes between two offsets, as far as they are here: neither forgotten nor still to come.
    func bytes(from first: Int, to end: Int) -> [UInt8] {
        let range = max(first, start)..<max(first, start, min(end, start + bytes.count))
        return Array(bytes[range.lowerBound - start..<range.upperBound - start])
    }
}
