import HTTP

/// One client's connection, from its acceptance to its end. On the server's thread only.
final class Connection {
    let descriptor: Int32
    let peer: Peer
    /// The client has closed its end, or half of it.
    private(set) var hasLeft = false
    /// The request that is on it now; the exchange clears it when it is over.
    weak var exchange: Exchange?

    init(descriptor: Int32) {
        self.descriptor = descriptor
        peer = Peer(socket: descriptor)
    }

    /// - Parameter entirely: it will not read an answer either.
    func clientLeft(entirely: Bool) {
        hasLeft = true
        exchange?.clientLeft(entirely: entirely)
    }
}
