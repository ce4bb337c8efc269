package import HTTP

/// Where a server listens and what it takes from its clients.
package struct ServerConfiguration: Sendable {
    /// A certificate chain and its key, as PEM texts.
    package struct TLS: Sendable {
        package let certificate: String
        package let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package var listen: ListenAddress
    package var tls: TLS?
    /// A request with a larger body is refused with 413.
    package var maximumBodyBytes = 4 << 20
    /// Memory for the bodies of all requests together, the first 64 kB of each not counted; where it is in use, a
    /// request with a longer one is refused with 503.
    package var maximumBodiesBytes = 256 << 20
    /// How much of a body that is too large is read and thrown away, so that the client sees the answer and keeps its
    /// connection; where a body is larger than that too, the connection is closed.
    package var maximumDiscardedBytes = 64 << 20
    /// Memory of one connection: request line and headers must fit into it; more is refused with 431 or 414.
    package var maximumHeaderBytes = 32 << 10
    /// More clients wait in the system's queue.
    package var maximumConnections = 12_000
    /// `nil`: no bound for one client's address.
    package var maximumConnectionsPerAddress: Int?
    /// A connection on which a request or an answer does not move is closed after this long, rounded up to a second.
    /// It does not apply while a handler works or a stream has nothing to send.
    package var idleTimeout: Duration = .seconds(60)
    /// What the server answers by itself.
    package var refuse: @Sendable (Refusal) -> Response = \.response
    /// Receives the library's messages, on the server's thread.
    package var log: @Sendable (String) -> Void = { _ in }

    package init(listen: ListenAddress) {
        self.listen = listen
    }
}
