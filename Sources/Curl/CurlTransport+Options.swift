package import HTTP

extension CurlTransport {
    /// How a transport connects, how long it waits and how much it takes.
    package struct Options: Sendable {
        /// Sent with every request that does not set the same field itself.
        package var headers: Headers = [:]
        package var userAgent = "tandem"
        package var connectTimeout: Duration = .seconds(10)
        /// From the start of `send` to the last byte of the answer; `nil`: no bound. Streams have none.
        package var totalTimeout: Duration? = .seconds(60)
        /// An exchange on which no byte moves ends after this long, at the latest after twice as long.
        /// A stream that its reader holds back does not count as stalled.
        package var stallTimeout: Duration? = .seconds(45)
        /// Larger answers to `send` end with `TransportError.Code.tooLarge`.
        package var maximumResponseBytes = 64 << 20
        /// How much of a stream may wait for its reader before the connection is paused. One piece more
        /// (`CURL_MAX_WRITE_SIZE`, 16 KiB) may be waiting.
        package var maximumUnreadBytes = 256 << 10
        /// A file of CA certificates in PEM form in place of the system's.
        package var certificateAuthorityFile: String?
        /// `nil`: as the environment says (`http_proxy`, `no_proxy`); empty: none. Unix sockets never use one.
        package var proxy: String?

        package init() {}
    }
}
