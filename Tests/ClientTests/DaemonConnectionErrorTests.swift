import HTTP
import TandemClient
import TestSupport
import Testing
import Wire

/// How a connection says what went wrong.
@Suite(.timeLimit(.minutes(5)))
struct DaemonConnectionErrorTests {
    typealias Call = (DaemonConnection) async throws -> Void

    private func errors(of daemon: ScriptedDaemon, _ calls: Call...) async -> [DaemonError] {
        var errors: [DaemonError] = []
        for call in calls {
            let error = await #expect(throws: DaemonError.self) { try await call(daemon.connection) }
            if let error { errors.append(error) }
        }
        return errors
    }

    @Test func missingSocketIsUnreachableAndSaysHowToStart() async throws {
        try await withTemporaryDirectory { directory in
            let connection = DaemonConnection(socket: directory + "/none.sock")
            let error = await #expect(throws: DaemonError.self) { try await connection.status() }
            #expect(error?.code == DaemonError.unreachable)
            #expect(error?.message.contains(directory + "/none.sock") == true)
            #expect(error?.hint?.contains("systemctl --user start tandemd") == true)
            let opened = await #expect(throws: DaemonError.self) { _ = try await connection.events(since: nil) }
            #expect(opened?.code == DaemonError.unreachable)
        }
    }

    @Test(arguments: [
        (TransportError.Code.unreachable, DaemonError.unreachable), (.interrupted, DaemonError.interrupted),
        (.tooLarge, DaemonError.answerTooLarge), (.malformed, DaemonError.unexpectedAnswer),
        (.cancelled, DaemonError.cancelled),
    ])
    func faultOfTheTransportHasItsCode(fault: TransportError.Code, code: String) async {
        let transport = BoundedTransport(handler: ScriptedDaemon([:]))
        transport.fault.update { $0 = fault }
        let connection = DaemonConnection(transport: transport)
        let error = await #expect(throws: DaemonError.self) { try await connection.status() }
        #expect(error?.code == code)
        let unsure = await #expect(throws: DaemonError.self) { try await connection.leave() }
        #expect(fault != .interrupted || (unsure?.hint != nil && error?.hint == nil))
    }

    @Test func refusalKeepsCodeMessageAndHint() async {
        let daemon = ScriptedDaemon { _ in
            Response(Failure(.notFound, code: "no-such-list", "there is no list 'x'", hint: "see 'tandem lists'"))
        }
        let errors = await errors(
            of: daemon, { _ = try await $0.status() }, { _ = try await $0.items(in: .todo) },
            { _ = try await $0.export(.todo, format: "x") }, { _ = try await $0.events(since: 3) })
        let refusal = DaemonError(code: "no-such-list", "there is no list 'x'", hint: "see 'tandem lists'")
        #expect(errors == [refusal, refusal, refusal, refusal])
    }

    @Test(arguments: [
        Response(.notFound, body: .bytes(Array("<html>nginx</html>".utf8))), Response(.ok, json: ["hello": "world"]),
        Response(.ok, body: .bytes(Array("<html>".utf8))), Response(.ok), Response(.unavailable, json: [:]),
    ])
    func answerOfAnotherProgramIsUnexpected(answer: Response) async {
        let errors = await errors(of: ScriptedDaemon { _ in answer }, { _ = try await $0.status() })
        #expect(errors.map(\.code) == [DaemonError.unexpectedAnswer])
        #expect(errors.allSatisfy { $0.hint != nil })
    }

    @Test func resultsThatAreNotAsManyAsEditsAreUnexpected() async {
        let edit = EditRequest(set: [.title: "t"])
        let errors = await errors(of: ScriptedDaemon(["results": []]), { _ = try await $0.edit(edit, in: .todo) })
        #expect(errors.map(\.code) == [DaemonError.unexpectedAnswer])
    }

    @Test func emptyIDNamesNothingAndAsksNobody() async {
        let daemon = ScriptedDaemon([:])
        let errors = await errors(
            of: daemon, { _ = try await $0.inspect("") }, { _ = try await $0.move("", to: .first) },
            { _ = try await $0.resolve("", .shown) }, { try await $0.discardQuarantined("") })
        #expect(errors.map(\.code) == ["no-such-item", "no-such-item", "no-such-conflict", "no-such-entry"])
        #expect(daemon.asked.isEmpty)
    }

    @Test func lineThatIsNoItemIsUnexpected() async {
        let daemon = ScriptedDaemon { _ in Response(.ok, jsonLines: Array("{}\n".utf8)) }
        let errors = await errors(
            of: daemon, { _ = try await $0.items(in: .todo) },
            { _ = try await $0.items(in: .todo, ItemsQuery(sort: "title")) })
        #expect(errors.map(\.code) == [DaemonError.unexpectedAnswer, DaemonError.unexpectedAnswer])
    }
}
