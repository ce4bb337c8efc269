import Curl
import Foundation
import HTTP
import MicroHTTPD
import Synchronization

/// A handler made of a closure.
struct ClosureHandler: Handler {
    let answer: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await answer(request) }
}

/// A server of a test and the way to it, on a port or a socket file of its own.
struct HTTPFixture: Sendable {
    enum Kind: CaseIterable { case tcp, unix }

    let server: Server
    let endpoint: Endpoint
    let directory: String

    func transport(_ options: CurlTransport.Options = CurlTransport.Options()) -> CurlTransport {
        var options = options
        options.proxy = ""
        return CurlTransport(endpoint: endpoint, options: options)
    }

    /// Starts a server, runs the body and stops the server.
    static func with(
        _ kind: Kind = .tcp, configure: (inout ServerConfiguration) -> Void = { _ in },
        handler: @escaping @Sendable (Request) async -> Response, body: (HTTPFixture) async throws -> Void
    ) async throws {
        let directory = try temporaryDirectory()
        let path = directory + "/s"
        let listen: ListenAddress =
            switch kind {
            case .tcp: .tcp(address: "127.0.0.1", port: 0)
            case .unix: .unix(path: path, group: nil)
            }
        var configuration = ServerConfiguration(listen: listen)
        configure(&configuration)
        let server = try Server(configuration: configuration, handler: ClosureHandler(answer: handler))
        let scheme = configuration.tls == nil ? "http" : "https"
        let endpoint =
            switch kind {
            case .tcp: Endpoint(base: "\(scheme)://127.0.0.1:\(server.port ?? 0)")
            case .unix: Endpoint(unixSocket: path)
            }
        do {
            try await body(HTTPFixture(server: server, endpoint: endpoint, directory: directory))
        } catch {
            await server.stop(deadline: .zero)
            throw error
        }
        await server.stop(deadline: .zero)
        try FileManager.default.removeItem(atPath: directory)
    }

    static func temporaryDirectory() throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }
}

/// Something that happens once; tasks wait for it.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var hasFired: Bool { state.withLock { $0.hasFired } }

    func fire() {
        let waiters = state.withLock { state in
            state.hasFired = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiters.append(waiter) }
                return state.hasFired
            }
            if hasFired { waiter.resume() }
        }
    }

    /// Returns when it fires or when the task is cancelled.
    func waitOrCancellation() async {
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            fire()
        }
    }
}

/// A number that tasks count up.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increase() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

extension Response {
    /// The body as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
