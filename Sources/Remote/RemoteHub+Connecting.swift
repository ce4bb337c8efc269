package import Curl
import HTTP
package import Platform
package import Sync
package import TandemItems

extension RemoteHub {
    /// The hub of a membership, over libcurl. Nothing is sent before the first request; connections are kept and used
    /// again as long as the value lives.
    ///
    /// Bounds: 10 s to connect, 30 s without a byte moving in a request or its answer, 10 min for both. The event
    /// stream is bounded by ``patience`` alone.
    ///
    /// - Parameters:
    ///   - replica: the store's id, and its name for people.
    ///   - certificateAuthorityFile: in place of the system's, in PEM form.
    ///   - thread: the curl thread to share; by default one of its own.
    package static func connect(
        _ membership: Membership, as replica: ReplicaID, named name: String,
        certificateAuthorityFile: String? = nil, thread: CurlThread = CurlThread(), time: any TimeSource = SystemTime()
    ) -> RemoteHub {
        let endpoint = Endpoint(base: membership.address)
        var options = CurlTransport.Options()
        options.certificateAuthorityFile = certificateAuthorityFile
        options.connectTimeout = .seconds(10)
        options.stallTimeout = .seconds(30)
        options.totalTimeout = .seconds(600)
        let transport = CurlTransport(endpoint: endpoint, options: options, thread: thread)
        options.stallTimeout = nil
        let streams = CurlTransport(endpoint: endpoint, options: options, thread: thread)
        return RemoteHub(
            transport, streams: streams, author: Author(token: membership.token, replica: replica, name: name),
            time: time)
    }
}
