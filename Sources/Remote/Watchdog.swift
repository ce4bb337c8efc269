import HTTP
import Platform
import Sync

/// Bounds how long an event stream may say nothing.
struct Watchdog: Sendable {
    let time: any TimeSource
    let patience: Duration

    /// Opens an exchange; its head has to come in time.
    func open(_ request: Request, over transport: any Transport) async throws(HubError) -> Response {
        try await watching {
            do throws(TransportError) {
                return try await transport.open(request)
            } catch {
                throw HubError(error)
            }
        }
    }

    /// The next piece of a stream, which has to come in time; `nil` at its end.
    func next(of stream: ByteStream) async throws(HubError) -> [UInt8]? {
        try await watching {
            do {
                for try await piece in stream { return piece }
                return nil
            } catch {
                throw (error as? TransportError).map(HubError.init) ?? HubError(.interrupted, "\(error)")
            }
        }
    }

    /// As much of a body as an error's message takes; what came of one that breaks.
    func beginning(of stream: ByteStream) async -> [UInt8] {
        var bytes: [UInt8] = []
        // A body that breaks is judged by what came of it: the status says the rest.
        while bytes.count < 65_536, let piece = try? await next(of: stream) { bytes += piece }
        return bytes
    }

    /// Runs what waits for the hub, and cancels it when it takes too long.
    private func watching<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(HubError) -> Value {
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    try await time.sleep(for: patience)
                    return nil
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() ?? nil else {
                    throw HubError(.interrupted, "nothing came from the hub for \(patience.milliseconds / 1_000) s")
                }
                return value
            }
        } catch {
            throw error as? HubError ?? HubError(.interrupted, "the exchange was cancelled")
        }
    }
}
