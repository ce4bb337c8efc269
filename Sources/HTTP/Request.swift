/// A request method. Tandem's two APIs take GET, HEAD and POST; the others are known so that a service can refuse them
/// in its own words.
package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case head = "HEAD"
}

/// Who is at the other end of a connection, as the kernel tells it.
package enum Peer: Sendable, Equatable {
    /// A process on this machine, over a Unix socket (`SO_PEERCRED`, unix(7)).
    case local(user: UInt32, group: UInt32, process: Int32)
    /// A network address in text form, without the port.
    case network(address: String)
    /// A call in the same process: tests, and models beside the daemon.
    case inProcess
}

/// A request whose body has arrived whole. The server bounds the body before a handler sees it.
package struct Request: Sendable {
    package var method: Method
    /// Path segments, percent-decoded: `/v1/lists/a%2Fb` is `["v1", "lists", "a/b"]`.
    package var path: [String]
    /// Query parameters, percent-decoded, in order.
    package var query: [(name: String, value: String)]
    package var headers: Headers
    package var body: [UInt8]
    package var peer: Peer

    package init(
        _ method: Method, _ path: [String], query: [(name: String, value: String)] = [], headers: Headers = [:],
        body: [UInt8] = [], peer: Peer = .inProcess
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The first value of a query parameter.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Path and query as they stand in a request line, percent-encoded (RFC 3986, section 2).
    package var target: String {
        let path = "/" + self.path.map(PercentEncoding.encode).joined(separator: "/")
        guard !query.isEmpty else { return path }
        let pairs = query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }
}
