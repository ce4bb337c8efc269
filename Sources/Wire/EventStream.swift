package import TandemItems

/// Server-sent events (WHATWG HTML, section 9.2): what both APIs use of them.
package struct ServerSentEvent: Hashable, Sendable {
    /// The event's type; `message` where the stream names none.
    package var name: String
    package var data: String
    /// The place to resume from.
    package var id: String?

    package init(name: String, data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }

    /// The event as it stands in a stream. Its data is one line, as JSON is.
    package var bytes: [UInt8] {
        var text = "event: \(name)\n"
        if let id { text += "id: \(id)\n" }
        return Array((text + "data: \(data)\n\n").utf8)
    }

    /// The data as JSON, which it is in both APIs.
    package func json() throws(InvalidItem) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: data)
        } catch {
            throw InvalidItem(.shape, "an event's data is not JSON: \(error)")
        }
    }

    /// A comment line, which keeps the connection alive and is no event.
    package static let heartbeat = Array(": heartbeat\n\n".utf8)
}

/// Takes a stream's bytes as they come and gives its events. Lines end with LF, CR LF or CR.
package struct EventStreamParser: Sendable {
    /// What came.
    package enum Element: Hashable, Sendable {
        case event(ServerSentEvent)
        /// A comment: the other end lives.
        case heartbeat
    }

    /// The longest line that is accepted; a stream that exceeds it is broken.
    package static let maximumLineBytes = 8 << 20

    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var name = ""
    private var data: String?
    private var id: String?
    private var isTooLong = false

    package init() {}

    /// The elements that these bytes complete; `nil` where a line, or an event's data of many lines, is too long.
    package mutating func take(_ bytes: [UInt8]) -> [Element]? {
        var elements: [Element] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n"), endedWithReturn {
                endedWithReturn = false
                continue
            }
            endedWithReturn = byte == UInt8(ascii: "\r")
            guard byte == UInt8(ascii: "\n") || endedWithReturn else {
                guard line.count < Self.maximumLineBytes else { return nil }
                line.append(byte)
                continue
            }
            if let element = endLine() { elements.append(element) }
            if isTooLong { return nil }
        }
        return elements
    }

    private mutating func endLine() -> Element? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatch() }
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        guard colon != text.startIndex else { return .heartbeat }
        var value = text[text.utf8.index(after: colon)...]
        if value.utf8.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch text[..<colon] {
        case "event": name = String(value)
        case "data":
            data = data.map { $0 + "\n" + value } ?? String(value)
            isTooLong = isTooLong || data?.utf8.count ?? 0 > Self.maximumLineBytes
        case "id": id = String(value)
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Element? {
        defer { (name, data) = ("", nil) }
        guard let data else { return nil }
        return .event(ServerSentEvent(name: name.isEmpty ? "message" : name, data: data, id: id))
    }
}
