import HTTP

/// The part of an exchange that runs as a task, away from the server's thread.
extension Exchange {
    /// Asks the handler, then reads its stream, if it answers with one, no faster than the client.
    static func run(_ request: Request, _ handler: any Handler, _ mailbox: Mailbox, _ exchange: Exchange) async {
        let response = await handler.respond(to: request)
        guard mailbox.post(.response(exchange, response)), case .stream(let stream) = response.body else { return }
        do {
            for try await chunk in stream where !chunk.isEmpty {
                guard await mailbox.hand(chunk, to: exchange) else { return }
            }
            // A cancelled stream ends like one that is complete.
            mailbox.post(.endOfStream(exchange, isComplete: !Task.isCancelled))
        } catch {
            mailbox.post(.endOfStream(exchange, isComplete: false))
        }
    }
}
