import TandemItems

extension RecordReader {
    /// Reads on within a record.
    mutating func inside() -> Step {
        while let byte = window.next {
            if byte == UInt8(ascii: "{"), isCandidate(window.place) {
                if open.isOversized || !open.extent.admitsObject { return broken() }
                if open.candidate == nil { open.candidate = window.place }
            }
            switch open.extent.take(byte) {
            case .inside: window.advance()
            case .ended:
                window.advance()
                return ended()
            case .endedBefore: return ended()
            case .broken: return broken()
            }
            guard length > maximumRecordBytes else { continue }
            if open.candidate != nil { return broken() }
            open.isOversized = true
            window.forget()
        }
        guard window.isComplete else { return .wait }
        if open.extent.kind == .word { return ended() }
        isCutOff = open.candidate == nil
        return broken()
    }

    /// That a place is no JSON, with what stands there.
    func beginning(of start: Place) -> String {
        let line = window.bytes(from: start.offset, to: start.offset + 40).prefix { $0 != 0x0A && $0 != 0x0D }
        let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.prefix(24)
            .map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0 }
        return "this is not JSON: \(String(String.UnicodeScalarView(scalars)))"
    }

    private var length: Int { window.place.offset - open.start.offset }

    private func isCandidate(_ place: Place) -> Bool {
        place.isLineHead && place.line > open.start.line && place.indentation <= open.start.indentation
    }

    private var tooLong: RecordError {
        RecordError(line: open.start.line, message: "the record is larger than \(maximumRecordBytes) bytes")
    }

    private mutating func ended() -> Step {
        if length > maximumRecordBytes { return fail(tooLong, .settling) }
        // No record; but an array that reaches over lines may be a stray bracket, and the lines records.
        if open.extent.kind == .array, open.candidate != nil { return broken() }
        let bytes = window.bytes(from: open.start.offset, to: window.place.offset)
        do throws(JSONError) {
            let value = try JSON(parsing: bytes)
            guard let object = value.object else {
                return fail(at: 0, in: bytes, "a record is a JSON object, this is \(value.kindInWords)", .settling)
            }
            state = .between
            let range = open.start.offset..<window.place.offset
            return .report(Record(line: open.start.line, bytes: range, result: .success(object)))
        } catch {
            if open.extent.kind != .word { return fail(at: error.offset, in: bytes, error.message, .settling) }
            return fail(at: 0, in: bytes, beginning(of: open.start), .skipping)
        }
    }

    /// The record's end cannot be told: goes back to the first line that may be another record, or on to the next.
    private mutating func broken() -> Step {
        let isTooLong = length > maximumRecordBytes
        let isAtEnd = open.candidate == nil && window.next == nil
        if let candidate = open.candidate { window.place = candidate }
        var bytes = window.bytes(from: open.start.offset, to: window.place.offset)
        while let last = bytes.last, Self.space.contains(last) { bytes.removeLast() }
        if isTooLong { return fail(tooLong, .skipping) }
        if isAtEnd { return fail(at: 0, in: bytes, "the file ends within this record", .skipping) }
        if open.extent.kind == .word { return fail(at: 0, in: bytes, beginning(of: open.start), .skipping) }
        do throws(JSONError) {
            _ = try JSON(parsing: bytes)
            return fail(at: 0, in: bytes, "the record does not end", .skipping)
        } catch {
            return fail(at: error.offset, in: bytes, error.message, .skipping)
        }
    }

    private static let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    /// The place of a fault is that of the last byte, where one is missing behind it.
    private mutating func fail(at offset: Int, in bytes: [UInt8], _ message: String, _ state: State) -> Step {
        let line = bytes[..<min(offset, max(0, bytes.count - 1))].reduce(open.start.line) { $1 == 0x0A ? $0 + 1 : $0 }
        let text = message.utf8.count > 300 ? message.prefix(120) + "…" : message
        return fail(RecordError(line: line, message: String(text)), state)
    }

    private mutating func fail(_ error: RecordError, _ state: State) -> Step {
        failure = Failure(start: open.start, isObject: open.extent.kind == .object, error: error)
        self.state = state
        return .goOn
    }
}

extension JSON {
    fileprivate var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .int, .double: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
