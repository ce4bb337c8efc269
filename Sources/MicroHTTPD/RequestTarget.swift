import HTTP

/// The path and the query of a request line, percent-decoded (RFC 9112, section 3.2).
struct RequestTarget {
    let path: [String]
    let query: [(name: String, value: String)]

    /// `nil` where the text is no origin-form or absolute-form target, or an escape in it is malformed.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }),
            let origin = Self.originForm(text[...])
        else { return nil }
        let parts = origin.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.path(Substring(parts[0])),
            let query = parts.count > 1 ? Self.query(Substring(parts[1])) : []
        else { return nil }
        self.path = path
        self.query = query
    }

    /// `http://host/path` is `/path`; every server must take that form too.
    private static func originForm(_ text: Substring) -> Substring? {
        if text.utf8.first == UInt8(ascii: "/") { return text }
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let start = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") })
            else { return "/" }
            return rest.utf8[start] == UInt8(ascii: "/") ? rest[start...] : "/" + rest[start...]
        }
        return nil
    }

    private static func path(_ text: Substring) -> [String]? {
        let inner = text.dropFirst()
        guard !inner.isEmpty else { return [] }
        var path: [String] = []
        for segment in inner.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = PercentEncoding.decode(Substring(segment)) else { return nil }
            path.append(decoded)
        }
        return path
    }

    /// A plus is a space here, as forms and `curl --data-urlencode` write it; `PercentEncoding` never writes one.
    private static func query(_ text: Substring) -> [(name: String, value: String)]? {
        var query: [(name: String, value: String)] = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = parts.count > 1 ? decoded(parts[1]) : "" else { return nil }
            query.append((name: name, value: value))
        }
        return query
    }

    private static func decoded(_ part: Substring.UTF8View) -> String? {
        let bytes = part.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        return PercentEncoding.decode(String(decoding: bytes, as: UTF8.self))
    }
}
