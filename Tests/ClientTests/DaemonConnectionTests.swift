import HTTP
import TandemClient
import Testing
import Wire

/// What is asked of the daemon.
@Suite(.timeLimit(.minutes(5)))
struct DaemonConnectionTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let line: String
        let body: String
        let answer: JSON
        /// Whether the answer came out as it should.
        let call: @Sendable (DaemonConnection) async throws -> Bool

        var testDescription: String { line }
    }

    private static let result: JSON = ["effect": "changed", "list": "todo", "item": ["id": "a", "version": 0]]
    private static let entry: JSON = [
        "id": "q", "list": "todo", "code": "no", "message": "no", "since": 1,
        "mutation": [
            "replica": "r", "n": 1, "nonce": "x", "item": "a", "list": "todo", "base": 0, "set": ["title": "t"],
            "at": 1,
        ],
    ]
    private static let status = StatusReport(
        state: "live", replica: "r", name: "n", store: "/s", hubAddress: nil, hubName: nil, isCaughtUp: true,
        lists: [], problem: nil, lastContact: nil, nextTry: nil, clockOffset: 0, version: "1"
    ).json

    static let calls = [
        Call(line: "GET /v1/status", body: "", answer: status) { try await $0.status().state == "live" },
        Call(line: "GET /v1/lists", body: "", answer: ["lists": []]) { try await $0.lists() == [] },
        Call(line: "POST /v1/lists", body: #"{"name":"todo","kind":"todo"}"#, answer: [:]) {
            try await $0.addList(.todo, kind: .todo) == ()
        },
        Call(
            line: "POST /v1/lists/todo/edits", body: #"{"edits":[{"item":"a","set":{"title":"t"}}]}"#,
            answer: ["results": [result]]
        ) {
            let edit = EditRequest(item: try ItemID("a"), set: [.title: "t"])
            return try await $0.edit(edit, in: .todo).effect == "changed"
        },
        Call(line: "POST /v1/items/..%2F%C3%A9/move?list=todo", body: #"{"before":"b"}"#, answer: result) {
            try await $0.move("../é", to: .before("b"), in: .todo).effect == "changed"
        },
        Call(line: "POST /v1/items/a/move", body: #"{"after":"b"}"#, answer: result) {
            try await $0.move("a", to: .after("b")).effect == "changed"
        },
        Call(line: "POST /v1/items/a/move", body: #"{"to":"last"}"#, answer: result) {
            try await $0.move("a", to: .last).effect == "changed"
        },
        Call(line: "GET /v1/conflicts?list=todo", body: "", answer: ["conflicts": []]) {
            try await $0.conflicts(in: .todo) == []
        },
        Call(line: "POST /v1/conflicts/c/resolve", body: #"{"take":"other"}"#, answer: result) {
            try await $0.resolve("c", .other).effect == "changed"
        },
        Call(line: "POST /v1/conflicts/c/resolve", body: #"{"value":null}"#, answer: result) {
            try await $0.resolve("c", .value(.null)).effect == "changed"
        },
        Call(line: "GET /v1/quarantine", body: "", answer: ["quarantined": [entry]]) {
            try await $0.quarantine().map(\.id) == ["q"]
        },
        Call(line: "POST /v1/quarantine/q/retry", body: "", answer: [:]) { try await $0.retryQuarantined("q") == () },
        Call(line: "POST /v1/quarantine/q/discard", body: "", answer: entry) {
            try await $0.discardQuarantined("q").refusal.code == "no"
        },
        Call(line: "POST /v1/sync?timeout=2", body: "", answer: status) {
            try await $0.sync(timeout: .milliseconds(1_500)).isSynced
        },
        Call(line: "POST /v1/join", body: #"{"link":"http://h/join#t"}"#, answer: status) {
            try await $0.join(link: "http://h/join#t").isSynced
        },
        Call(line: "POST /v1/leave", body: "", answer: status) { try await $0.leave().isSynced },
        Call(
            line: "POST /v1/lists/todo/import?format=csv&index=7", body: "{}\n\n{}\n",
            answer: ["results": [["effect": "created", "id": "a"], ["code": "bad", "message": "m"]]]
        ) {
            let results = try await $0.importRecords(Array("{}\n\n{}\n".utf8), format: "csv", index: 7, into: .todo)
            let record = RecordResult(effect: "created", id: try ItemID("a"))
            return results == [.success(record), .failure(DaemonError(code: "bad", "m"))]
        },
    ]

    @Test func importThatNoFileReachesIsRefused() {
        let request = LocalRoute.importRecords(.todo, format: "jsonlines", index: .max).request
        let failure = #expect(throws: Failure.self) { try LocalRoute(request) }
        #expect(failure?.status == 400)
    }

    @Test(arguments: calls)
    func callIsTheRequestOfItsRoute(call: Call) async throws {
        let daemon = ScriptedDaemon(call.answer)
        #expect(try await call.call(daemon.connection))
        let request = try #require(daemon.asked.first)
        #expect("\(request.method.rawValue) \(request.target)" == call.line)
        #expect(String(decoding: request.body, as: UTF8.self) == call.body)
        #expect(daemon.asked.count == 1)
        #expect(throws: Never.self) { try LocalRoute(request) }
    }

    @Test func inspectionIsRead() async throws {
        let report = ItemReport(
            list: .todo, role: nil, item: try makeItem("a"), confirmed: nil, pending: [], quarantined: [], writers: [:],
            replica: try ReplicaID("r"))
        let daemon = ScriptedDaemon(report.json)
        #expect(try await daemon.connection.inspect("a", in: .todo) == report)
        #expect(daemon.asked.first?.target == "/v1/items/a?list=todo")
    }

    @Test func exportIsStreamedWithItsCount() async throws {
        let daemon = ScriptedDaemon { _ in
            let stream = ByteStream { continuation in
                continuation.yield(Array("a\n".utf8))
                continuation.yield(Array("b\n".utf8))
                continuation.finish()
            }
            return Response(.ok, headers: ["Tandem-Count": "3"], body: .stream(stream))
        }
        let (count, bytes) = try await daemon.connection.export(.todo, format: "csv")
        #expect(count == 3)
        #expect(try await bytes.reduce(into: []) { $0 += $1 } == Array("a\nb\n".utf8))
        #expect(daemon.asked.first?.target == "/v1/lists/todo/export?format=csv")
    }

    @Test func editsGoInBatchesAndTheirResultsStayInOrder() async throws {
        let daemon = ScriptedDaemon { request in
            let edits = (try? request.json().object?.elements("edits")) ?? []  // none is seen below
            let results: [JSON] = edits.map { edit in
                let id = edit.object?["item"] ?? .null
                guard id != "item-1" else { return ["code": "no-such-item", "message": "m", "hint": "h"] }
                return ["effect": "created", "list": "todo", "item": ["id": id, "version": 0]]
            }
            return Response(.ok, json: ["results": .array(results)])
        }
        let edits = try makeItems(0..<2_500).map { EditRequest(item: $0.id, set: [.title: "t"]) }
        let results = try await daemon.connection.edit(edits, in: .todo)
        #expect(daemon.asked.count == 3)
        #expect(results.count == 2_500)
        #expect(results[1] == .failure(DaemonError(code: "no-such-item", "m", hint: "h")))
        #expect(try results[2_499].get().item.id.text == "item-2499")
    }

    @Test func failureOfALaterBatchIsTheResultOfItsEdits() async throws {
        let daemon = ScriptedDaemon { request in
            let count = (try? request.json().object?.elements("edits").count) ?? 0  // none is seen below
            guard count == 1_000 else { return Response(Failure(.insufficientStorage, code: "disk-full", "full")) }
            return Response(.ok, json: ["results": .array(Array(repeating: Self.result, count: count))])
        }
        let edits = Array(repeating: EditRequest(set: [.title: "t"]), count: 1_001)
        let results = try await daemon.connection.edit(edits, in: .todo)
        #expect(results.count == 1_001)
        #expect(try results[999].get().effect == "changed")
        #expect(results[1_000] == .failure(DaemonError(code: "disk-full", "full")))
        let error = await #expect(throws: DaemonError.self) { try await daemon.connection.edit([edits[0]], in: .todo) }
        #expect(error?.code == "disk-full")
    }

    @Test func noEditsAreNoRequest() async throws {
        let daemon = ScriptedDaemon([:])
        #expect(try await daemon.connection.edit([], in: .todo).isEmpty)
        #expect(daemon.asked.isEmpty)
    }
}
