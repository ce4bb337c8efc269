package import HTTP
package import TandemItems

/// Media types of the two APIs.
package enum MediaType {
    package static let json = "application/json"
    /// One JSON value a line.
    package static let jsonLines = "application/x-ndjson"
    package static let eventStream = "text/event-stream"
}

extension Response {
    /// A JSON answer that no cache keeps.
    package init(_ status: Status, json: JSON) {
        var bytes = json.encoded()
        bytes.append(UInt8(ascii: "\n"))
        self.init(
            status, headers: ["Content-Type": MediaType.json, "Cache-Control": "no-store"], body: .bytes(bytes))
    }

    /// An answer of JSON lines that no cache keeps.
    package init(_ status: Status, jsonLines: [UInt8]) {
        self.init(
            status, headers: ["Content-Type": MediaType.jsonLines, "Cache-Control": "no-store"],
            body: .bytes(jsonLines))
    }

    /// A server-sent event stream, which no proxy buffers.
    package init(eventStream: ByteStream) {
        self.init(
            .ok,
            headers: [
                "Content-Type": MediaType.eventStream, "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ], body: .stream(eventStream))
    }

    /// An error answer.
    package init(_ failure: Failure, with members: JSONObject = [:]) {
        var object = failure.json
        for (key, value) in members.members { object[key] = value }
        self.init(Status(failure.status), json: .object(object))
        if let seconds = failure.retryAfterSeconds { headers["Retry-After"] = String(seconds) }
    }
}

extension Request {
    /// The body as JSON. Throws a ``Failure`` of status 400.
    package func json() throws(Failure) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: body)
        } catch {
            throw Failure(.badRequest, code: "malformed", "the body is not JSON: \(error)")
        }
    }

    /// Throws a ``Failure`` of status 405 where the address takes another method. HEAD may stand for GET.
    func check(_ taken: Method) throws(Failure) {
        guard method == taken || (taken == .get && method == .head) else {
            throw Failure(.methodNotAllowed, code: "method-not-allowed", "this address takes \(taken.rawValue)")
        }
    }

    /// A query parameter that is a number within bounds; the default where it is missing.
    package func number(_ name: String, default value: Int, in range: ClosedRange<Int>) throws(Failure) -> Int {
        guard let text = parameter(name) else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .badRequest, code: "malformed",
                "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// Reads JSON lines one after another.
package struct JSONLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0
    /// Lines read so far, empty ones counted.
    package private(set) var line = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next line that is not empty, as it stands.
    package mutating func next() -> [UInt8]? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let text = bytes[position..<end]
            position = end + 1
            line += 1
            if text.contains(where: { $0 > 0x20 }) { return Array(text) }
        }
        return nil
    }
}
