/// Where a service is.
package struct Endpoint: Sendable, Hashable {
    /// `http(s)://host:port[/prefix]`, without a slash at the end. The prefix stands before every request's path.
    package let base: String
    /// The Unix socket to connect to instead of the host's address (`CURLOPT_UNIX_SOCKET_PATH`).
    package let unixSocket: String?

    package init(base: String, unixSocket: String? = nil) {
        var base = base
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.base = base
        self.unixSocket = unixSocket
    }

    /// A service behind a Unix socket. The host's name is only what the `Host` field says.
    package init(unixSocket: String) {
        self.init(base: "http://localhost", unixSocket: unixSocket)
    }
}
