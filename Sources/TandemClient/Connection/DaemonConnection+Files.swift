package import HTTP
package import TandemItems
import Wire

/// What became of one record of an import.
package struct RecordResult: Hashable, Sendable {
    /// `created`, `changed` or `unchanged`.
    package var effect: String
    package var id: ItemID

    package init(effect: String, id: ItemID) {
        self.effect = effect
        self.id = id
    }
}

extension DaemonConnection {
    /// Imports records, one JSON object a line; a result for each line that is not empty, at its place.
    ///
    /// - Parameters:
    ///   - lines: at most 4 MiB.
    ///   - index: the number of the first record in its file, so that ids made of it are the same the next time.
    @concurrent
    package func importRecords(
        _ lines: [UInt8], format: String, index: Int, into list: ListName
    ) async throws(DaemonError) -> [Result<RecordResult, DaemonError>] {
        var request = LocalRoute.importRecords(list, format: format, index: index).request
        request.body = lines
        request.headers["Content-Type"] = MediaType.jsonLines
        let response = try await send(request, over: transport)
        let count = JSONLines(lines).reduce(0) { count, _ in count + 1 }
        return try read(response.bytes) { json throws(InvalidItem) in
            try json.results(count) { json throws(InvalidItem) in
                let object = try json.members("a record's result")
                return RecordResult(effect: try object.text("effect"), id: try ItemID(object.text("id")))
            }
        }
    }

    /// The list as a file of this format, streamed, and how many items it holds where the daemon says so. The stream
    /// throws a `TransportError` where it breaks.
    package func export(
        _ list: ListName, format: String
    ) async throws(DaemonError) -> (count: Int?, bytes: ByteStream) {
        let answer = try await open(.export(list, format: format))
        return (answer.headers[LocalHeader.count].flatMap { Int($0) }, answer.bytes)
    }

    /// Opens an answer that is read as it comes. One that is no success is read and thrown.
    func open(_ route: LocalRoute) async throws(DaemonError) -> (headers: Headers, bytes: ByteStream) {
        var response: Response
        do throws(TransportError) {
            response = try await transport.open(route.request)
        } catch {
            throw DaemonError(error, at: address)
        }
        let stream = ByteStream(response.body)
        guard response.status.isSuccess else {
            response.body = .bytes(await stream.start(maximumBytes: 64 << 10))
            throw DaemonError(response, at: address)
        }
        return (response.headers, stream)
    }
}

extension ByteStream {
    /// What comes before a bound or a fault; enough for an error's message, whose absence says as much.
    fileprivate func start(maximumBytes: Int) async -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await chunk in self {
                bytes += chunk
                guard bytes.count < maximumBytes else { break }
            }
        } catch {
            return bytes
        }
        return bytes
    }
}
