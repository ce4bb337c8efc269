import Curl
package import HTTP
import Platform
import TandemItems
import Wire

/// The way to the daemon on this machine, which keeps the lists and syncs them.
///
/// A value: copies share one set of kept connections. Making one opens nothing; each call is a request of its own, may
/// be made from any task, blocks no thread, and reads its answer off the caller's actor. Cancelling the task of a call
/// ends it with ``DaemonError/cancelled``.
public struct DaemonConnection: Sendable {
    let transport: any Transport
    /// Where the daemon is, for messages.
    let address: String
    /// The same way, for an answer that may rightly take this long.
    private let patient: @Sendable (Duration) -> any Transport

    /// The daemon that listens at this Unix socket.
    public init(socket: String) {
        let endpoint = Endpoint(unixSocket: socket)
        let thread = CurlThread()
        transport = CurlTransport(endpoint: endpoint, thread: thread)
        patient = { duration in
            var options = CurlTransport.Options()
            options.totalTimeout = duration
            options.stallTimeout = nil
            return CurlTransport(endpoint: endpoint, options: options, thread: thread)
        }
        address = socket
    }

    /// The daemon of this user: at `TANDEM_SOCKET`, else below the runtime directory (`XDG_RUNTIME_DIR/tandem`), else
    /// the system's instance for this user. Whether it runs shows with the first call.
    public static func local() -> DaemonConnection {
        DaemonConnection(socket: Directories().clientSocket)
    }

    /// A daemon that is reached in another way: a handler in this process.
    package init(transport: any Transport) {
        self.transport = transport
        patient = { _ in transport }
        address = "its handler"
    }

    /// Asks and reads the JSON that is answered.
    ///
    /// - Parameter patience: how long the daemon may be silent before it answers; `nil` for a usual request.
    @concurrent
    func ask<Value: Sendable>(
        _ route: LocalRoute, _ body: JSON? = nil, patience: Duration? = nil,
        read: @Sendable (JSON) throws(InvalidItem) -> Value
    ) async throws(DaemonError) -> Value {
        var request = route.request
        if let body {
            request.body = body.encoded()
            request.headers["Content-Type"] = MediaType.json
        }
        let response = try await send(request, over: patience.map(patient) ?? transport)
        return try self.read(response.bytes, read)
    }

    /// Sends a request; an answer that is no success is thrown.
    func send(_ request: Request, over transport: any Transport) async throws(DaemonError) -> Response {
        let response: Response
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw DaemonError(error, at: address, changes: request.method != .get)
        }
        guard response.status.isSuccess else { throw DaemonError(response, at: address) }
        return response
    }

    /// Reads one JSON text of an answer.
    func read<Value>(
        _ bytes: some Collection<UInt8>, _ read: (JSON) throws(InvalidItem) -> Value
    ) throws(DaemonError) -> Value {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: Array(bytes))
        } catch {
            throw DaemonError(unreadable: "it is not JSON: \(error)", at: address)
        }
        do throws(InvalidItem) {
            return try read(json)
        } catch {
            throw DaemonError(unreadable: error.message, at: address)
        }
    }
}
