extension RecordReader {
    /// What a step came to.
    enum Step {
        case report(Record)
        case goOn
        /// The bytes that are there do not decide.
        case wait
    }

    /// Reads on from the state that the reader is in, up to the next one.
    mutating func step() -> Step {
        switch state {
        case .start: begin()
        case .between: between()
        case .inside: inside()
        case .settling: settle()
        case .skipping: skip()
        case .stopping: end("there are too many errors; the rest of the file was not read")
        case .done: .wait
        }
    }

    private mutating func begin() -> Step {
        guard window.rest.count >= 4 || window.isComplete else { return .wait }
        if Self.isWide(window.rest) {
            isBlank = false
            return end("the file is UTF-16 or UTF-32; convert it to UTF-8 first")
        }
        if window.rest.starts(with: [0xEF, 0xBB, 0xBF]) { window.place.passMark(bytes: 3) }
        state = .between
        return .goOn
    }

    /// Whether a file starts as UTF-16 or UTF-32 does: with a byte-order mark, or with zeros around what JSON starts with.
    private static func isWide(_ head: ArraySlice<UInt8>) -> Bool {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        let letters = head.prefix(4).filter { $0 != 0 }
        guard head.count >= 4, (1...2).contains(letters.count) else { return false }
        return letters.allSatisfy { " \t\r\n[{\"".utf8.contains($0) }
    }

    private mutating func between() -> Step {
        while let byte = window.next {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): window.advance()
            case UInt8(ascii: "[") where !isInArray:
                isInArray = true
                isBlank = false
                window.advance(isIndentation: true)
            case UInt8(ascii: "]") where isInArray || errors > 0:
                isInArray = false
                window.advance()
            default:
                isBlank = false
                window.forget()
                open = Opened(start: window.place, extent: ValueExtent(first: byte))
                state = .inside
                return .goOn
            }
        }
        window.forget()
        guard window.isComplete else { return .wait }
        if isBlank { return end("the file is empty") }
        return end(isInArray && !isCutOff ? "the array does not end; the file may have been cut off" : nil)
    }

    /// Nothing more is read; a message is the last thing that is reported.
    private mutating func end(_ message: String?) -> Step {
        state = .done
        guard let message else { return .wait }
        let place = window.place
        let line = isBlank ? 1 : place.line
        return .report(
            Record(
                line: line, bytes: place.offset..<place.offset,
                result: .failure(RecordError(line: line, message: message))))
    }

    private mutating func settle() -> Step {
        let isObject = failure?.isObject ?? false
        while let byte = window.next {
            switch byte {
            case 0x20, 0x09, 0x0D: window.advance()
            case 0x0A, UInt8(ascii: "{"): return reported()
            case UInt8(ascii: ","), UInt8(ascii: "]"):
                if isInArray || isObject { return reported() }
                return noJSON()
            default: return noJSON()
            }
        }
        return window.isComplete ? reported() : .wait
    }

    /// Text follows where none may: brackets and quotes do not tell where the next record starts.
    private mutating func noJSON() -> Step {
        if let failure, !failure.isObject, !isInArray, !open.isOversized {
            let error = RecordError(line: failure.start.line, message: beginning(of: failure.start))
            self.failure?.error = error
        }
        state = .skipping
        return .goOn
    }

    private mutating func skip() -> Step {
        guard let failure else { return reported() }
        while let byte = window.next {
            let isStart = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "]") && isInArray
            let place = window.place
            if isStart, place.isLineHead, place.line > failure.start.line,
                place.indentation <= failure.start.indentation
            {
                return reported(isSkipped: true)
            }
            if byte == UInt8(ascii: "{") { self.failure?.hidesObjects = true }
            window.advance()
            window.forget()
        }
        guard window.isComplete else { return .wait }
        isCutOff = true
        return reported(isSkipped: true)
    }

    /// Reports the failure, which reaches up to here; reading goes on between records.
    private mutating func reported(isSkipped: Bool = false) -> Step {
        state = .between
        guard let failure else { return .goOn }
        self.failure = nil
        let loss = isSkipped ? loss(behind: failure) : ""
        let error = RecordError(line: failure.error.line, message: failure.error.message + loss)
        let bytes = failure.start.offset..<window.place.offset
        return .report(Record(line: failure.start.line, bytes: bytes, result: .failure(error)))
    }

    /// Says what else was passed over; nothing where the file is no JSON anyway.
    private func loss(behind failure: Failure) -> String {
        let first = failure.start.line
        let last = window.place.line - (window.place.isLineHead ? 1 : 0)
        guard hasRecords || failure.isObject || isInArray else { return "" }
        if last > first { return "; lines \(first) to \(last) were passed over" }
        return failure.hidesObjects ? "; the rest of the line was passed over" : ""
    }
}
