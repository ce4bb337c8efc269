package import HTTP
import Platform

/// An HTTP/1.1 server over libmicrohttpd.
///
/// One thread moves the bytes; handlers run as tasks, and a request that waits for its answer holds no thread.
/// Streams are sent as they are produced, each no faster than its client reads. A client that closes its connection,
/// or only its sending half, cancels its handler's task.
package final class Server: Sendable {
    /// The TCP port in use.
    package let port: UInt16?

    private let mailbox: Mailbox

    /// Listens, and serves from now on until `stop`, or until the last reference is gone.
    package init(configuration: ServerConfiguration, handler: any Handler) throws(ServerError) {
        let socket = try ListenSocket(configuration.listen)
        let loop: ServerLoop
        do throws(ServerError) {
            loop = try ServerLoop(configuration, handler, socket)
            guard DetachedThread.start({ loop.run() }) else {
                throw ServerError(.refused, "no thread could be started")
            }
        } catch {
            socket.close()
            throw error
        }
        port = socket.port
        mailbox = loop.mailbox
    }

    deinit { mailbox.post(.stop(within: .zero)) }

    /// Takes no more clients, ends every stream, and returns when the other requests have been answered, or at the
    /// deadline, when those that are left are cancelled and cut off. A second call may shorten the first one's deadline.
    package func stop(deadline: Duration) async {
        mailbox.post(.stop(within: deadline))
        await mailbox.waitUntilClosed()
    }
}
