/// Finds where a value ends, by its brackets and quotes alone: cheap, byte by byte, and over values that are not valid.
struct ValueExtent {
    /// What a byte means for the value.
    enum Step {
        /// It belongs to the value.
        case inside
        /// It is the value's last.
        case ended
        /// The value has ended before it.
        case endedBefore
        /// From here on brackets and quotes say nothing: a line ends in a string, or a bracket closes another kind.
        case broken
    }

    /// What the first byte says that it is.
    enum Kind { case object, array, text, word }

    /// Longest run of other bytes; JSON's own, numbers and `false`, are far shorter.
    private static let wordBytes = 512

    let kind: Kind
    private var closers: [UInt8] = []
    private var isInText = false
    private var isEscaped = false
    private var last: UInt8 = 0
    private var count = 0

    init(first: UInt8) {
        kind =
            switch first {
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .array
            case UInt8(ascii: "\""): .text
            default: .word
            }
    }

    /// Whether an object may start at this place in valid JSON.
    var admitsObject: Bool {
        switch closers.last {
        case UInt8(ascii: "]"): last == UInt8(ascii: "[") || last == UInt8(ascii: ",")
        case UInt8(ascii: "}"): last == UInt8(ascii: ":")
        default: false
        }
    }

    mutating func take(_ byte: UInt8) -> Step {
        if kind == .word { return takeInWord(byte) }
        return isInText ? takeInText(byte) : takeBetweenTexts(byte)
    }

    private mutating func takeInWord(_ byte: UInt8) -> Step {
        count += 1
        let isDelimiter = byte <= 0x20 || "\"{}[],:".utf8.contains(byte)
        if isDelimiter, count > 1 { return .endedBefore }
        return count > Self.wordBytes ? .broken : .inside
    }

    private mutating func takeInText(_ byte: UInt8) -> Step {
        if byte == UInt8(ascii: "\n") { return .broken }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            last = byte
            return closers.isEmpty ? .ended : .inside
        }
        return .inside
    }

    private mutating func takeBetweenTexts(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard closers.popLast() == byte else { return .broken }
            if closers.isEmpty { return .ended }
        case 0x20, 0x09, 0x0A, 0x0D: return .inside
        default: break
        }
        last = byte
        return .inside
    }
}
