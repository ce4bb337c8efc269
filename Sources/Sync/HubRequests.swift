package import Platform
package import TandemItems

/// The engine's requests, carried out: reads from the store, talks to the hub, writes to the store, never two of these
/// at once. Each method runs off its caller's actor and gives the event that the engine waits for; it throws where the
/// store fails.
package struct HubRequests: Sendable {
    let model: CoreModel
    let connection: any HubConnection
    let log: Logger

    package init(model: CoreModel, connection: any HubConnection, log: Logger = .silent) {
        self.model = model
        self.connection = connection
        self.log = log
    }

    /// Does what an action asks for; `nil` where it asks for no request.
    @concurrent
    package func answer(to action: SyncEngine.Action) async throws -> SyncEngine.Event? {
        switch action {
        case .greet: return try await greet()
        case .push(let list, let limit): return try await push(list, limit)
        case .pull(let list): return try await pull(list)
        case .quarantineFirst(let list, let reason): return try await quarantineFirst(in: list, reason)
        case .offerAgain(let list):
            try await model.offerAgain(list)
            return .offeredAgain(list)
        case .openStream, .closeStream, .abandonRequests, .start, .stop, .report: return nil
        }
    }

    /// Asks the hub who it is. Throws ``HubError`` where it does not answer, or speaks another protocol.
    @concurrent
    package static func hello(_ connection: any HubConnection) async throws(HubError) -> Hello {
        let hello = try await connection.hello()
        guard hello.protocols.contains(Hello.protocolVersion) else {
            let message = "the hub speaks protocol \(hello.protocols), this program \(Hello.protocolVersion)"
            throw HubError(.upgradeRequired, message)
        }
        return hello
    }

    private func greet() async throws -> SyncEngine.Event {
        let hello: Hello
        do throws(HubError) {
            hello = try await Self.hello(connection)
        } catch {
            return .greeted(.failure(error))
        }
        try await model.apply(hello)
        let heads = Dictionary(hello.grants.map { ($0.list, $0.head) }, uniquingKeysWith: max)
        let standings = try await model.lists().compactMap { list, counts in
            heads[list.name].map { head in
                SyncEngine.Standing(
                    list: list.name, canPush: list.role ?? .reader >= .editor, hasPending: counts.pending > 0,
                    cursor: list.cursor?.sequence, head: head)
            }
        }
        return .greeted(.success(standings))
    }

    private func push(_ list: ListName, _ limit: Int) async throws -> SyncEngine.Event {
        let limits = try await model.record().limits
        let (batch, seen) = try await model.outgoing(
            in: list, limit: min(limit, limits.batchMutations),
            maximumBytes: max(1, limits.batchBytes - limits.itemBytes - 4_096))
        guard !batch.isEmpty else { return .pushed(list, .success(.init(hasPending: false))) }
        let answer: PushAnswer
        do throws(HubError) {
            answer = try await connection.push(batch, to: list, seen: seen)
        } catch {
            return .pushed(list, .failure(error))
        }
        if let fault = answer.fault(for: batch) { return .pushed(list, .failure(HubError(.rejected, fault))) }
        if try await model.apply(answer, to: batch, in: list) {
            log.warning("another store ran under this replica id; this one has a new id now")
        }
        let isForked = answer.outcomes.contains(where: \.isForked)
        return .pushed(list, .success(.init(hasPending: try await model.hasPending(in: list), isForked: isForked)))
    }

    private func pull(_ list: ListName) async throws -> SyncEngine.Event {
        let cursor = try await model.cursor(of: list)
        let page: ChangesPage
        do throws(HubError) {
            page = try await connection.changes(in: list, since: cursor, limit: 2_000)
        } catch {
            return .pulled(list, .failure(error))
        }
        if let fault = page.fault(since: cursor) { return .pulled(list, .failure(HubError(.rejected, fault))) }
        let (end, head) = (page.cursor.sequence, page.head)
        guard try await model.apply(page, since: cursor, in: list) else {
            // Another page came first, or the list is to be pulled anew: where the store stands is where to go on.
            return .pulled(list, .success(.init(cursor: try await model.cursor(of: list)?.sequence, head: head)))
        }
        return .pulled(list, .success(.init(cursor: end, head: head)))
    }

    private func quarantineFirst(in list: ListName, _ reason: String) async throws -> SyncEngine.Event {
        if let mutation = try await model.outgoing(in: list, limit: 1, maximumBytes: 1).mutations.first {
            try await model.quarantine(mutation, Refusal(code: "too-large", message: reason), in: list)
        }
        return .pushed(list, .success(.init(hasPending: try await model.hasPending(in: list))))
    }
}
