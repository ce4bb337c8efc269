@testable import ClientCommand
import Formats
import HTTP
import Platform
import Synchronization
import TandemClient
import Testing
import TestSupport
import Wire

/// Takes imports and remembers them; items of the id `refused` are refused.
private final class ImportDaemon: Handler {
    struct Batch {
        let index: Int
        let format: String
        let records: [JSON]
        let bytes: Int
    }

    let batches = Watched<[Batch]>([])
    /// Fails from this batch on.
    let failing = Watched(Int.max)

    func respond(to request: Request) async -> Response {
        do {
            guard case .importRecords(_, let format, let index) = try LocalRoute(request) else {
                return Response(.ok, json: ["lists": [Sample.list().json]])
            }
            let records = try JSONLines(request.body).map { try JSON(parsing: $0) }
            guard batches.value.count < failing.value else {
                throw Failure(.unavailable, code: "disk-full", "no room", hint: "make room")
            }
            batches.update {
                $0.append(.init(index: index, format: format, records: records, bytes: request.body.count))
            }
            return Response(.ok, json: ["results": .array(records.map(result))])
        } catch {
            return Response(error as? Failure ?? Failure(.badRequest, code: "malformed", "\(error)"))
        }
    }

    private func result(_ record: JSON) -> JSON {
        let id = record.object?["id"] ?? "minted"
        guard id != "refused" else { return ["code": "item-too-large", "message": "too large"] }
        return ["effect": id == "old" ? "unchanged" : id == "new" ? "changed" : "created", "id": id]
    }

    var connection: DaemonConnection { DaemonConnection(transport: HandlerTransport(self)) }
}

@Suite("tandem import")
struct CommandImportTests {
    private let daemon = ImportDaemon()

    private func importing(_ text: String, _ options: String...) async throws -> CommandOutcome {
        try await withTemporaryDirectory { directory in
            let path = directory + "/items"
            try Files.write(Array(text.utf8), to: path)
            var outcome = try await runTandem(["import", path] + options, daemon.connection)
            outcome.errors = outcome.errors.replacing(path, with: "FILE")
            return outcome
        }
    }

    @Test func effectsAreCounted() async throws {
        let outcome = try await importing(#"[{"id":"a","title":"A"},{"id":"old"},{"id":"new"}]"#)
        #expect(outcome == CommandOutcome(output: "imported 3: 1 new, 1 changed, 1 unchanged\n"))
        #expect(daemon.batches.value.map(\.format) == ["jsonlines"])
    }

    @Test func formatIsFoundOutOrGiven() async throws {
        let task = #"{"uuid":"a","description":"x","status":"pending"}"#
        _ = try await importing(task)
        _ = try await importing(task, "--format", "jsonlines")
        #expect(daemon.batches.value.map(\.format) == ["taskwarrior", "jsonlines"])
    }

    @Test func faultyRecordsAreToldWithTheirLinesAndTheRestGoesIn() async throws {
        let outcome = try await importing(
            """
            {"id":"a"}
            {"id":"b",
            {"id":"refused"}
            {"id":"a","title":"again"}
            {"id":"d"}
            """)
        #expect(outcome.code == 1)
        #expect(outcome.output == "imported 2: 2 new, 0 changed, 0 unchanged; 3 refused\n")
        let lines = outcome.errors.split(separator: "\n").map(String.init).sorted()
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("FILE:2: "))
        #expect(lines[1] == "FILE:3: too large")
        #expect(lines[2] == "FILE:4: its id stands on line 1 already: a")
        #expect(daemon.batches.value.flatMap(\.records).map { $0.object?["id"] } == ["a", "refused", "d"])
    }

    @Test(arguments: ["", "  \n", "no JSON at all", "%PDF-1.4\n%\u{0}"]) func fileWithoutRecordsChangesNothing(
        _ text: String
    ) async throws {
        let outcome = try await importing(text)
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("FILE:1: ") && outcome.errors.contains("nothing was imported from FILE"))
        #expect(daemon.batches.value.isEmpty)
    }

    @Test func emptyArrayIsAnEmptyList() async throws {
        #expect(try await importing("[]") == CommandOutcome(output: "imported 0: 0 new, 0 changed, 0 unchanged\n"))
    }

    @Test func batchesAreBoundedByCount() async throws {
        let text = (0..<1_234).map { #"{"id":"\#($0)"}"# }.joined(separator: "\n")
        #expect(try await importing(text).output.hasPrefix("imported 1234: 1234 new"))
        #expect(daemon.batches.value.map(\.records.count) == [500, 500, 234])
        #expect(daemon.batches.value.map(\.index) == [0, 500, 1_000])
    }

    @Test func batchesAreBoundedByBytesAndALargeRecordGoesAlone() async throws {
        let half = String(repeating: "x", count: 600 << 10)
        let large = String(repeating: "y", count: 2 << 20)
        let texts = [half, half, large, "z"].enumerated().map { #"{"id":"\#($0.offset)","title":"\#($0.element)"}"# }
        #expect(try await importing(texts.joined(separator: "\n")).code == 0)
        #expect(daemon.batches.value.map(\.records.count) == [1, 1, 1, 1])
        #expect(daemon.batches.value.filter { $0.bytes > 1 << 20 }.count == 1)
    }

    @Test func manyRefusalsAreToldInPart() async throws {
        let text = (0..<50).map { _ in #"{"id":"same"}"# }.joined(separator: "\n")
        let outcome = try await importing(text)
        #expect(outcome.output == "imported 1: 1 new, 0 changed, 0 unchanged; 49 refused\n")
        #expect(outcome.errors.split(separator: "\n").count == 21)
        #expect(outcome.errors.hasSuffix("FILE: 29 more like these\n"))
    }

    @Test func stopInBetweenSaysWhatIsIn() async throws {
        daemon.failing.update { $0 = 1 }
        let text = (0..<700).map { #"{"id":"\#($0)"}"# }.joined(separator: "\n")
        let outcome = try await importing(text)
        #expect(outcome.code == 1)
        #expect(
            outcome.errors
                == "imported 500: 500 new, 0 changed, 0 unchanged; stopped behind line 500: no room")
    }

    @Test func missingFileIsAnErrorBeforeAnythingIsAsked() async throws {
        let outcome = try await runTandem(["import", "/nowhere/at/all"], daemon.connection)
        #expect(outcome.code == 1 && outcome.errors == "/nowhere/at/all: cannot open: No such file or directory")
        #expect(daemon.batches.value.isEmpty)
    }
}

@Suite("tandem export")
struct CommandExportTests {
    private func daemon(_ chunks: [String], breaksOff: Bool = false) -> ScriptedDaemon {
        ScriptedDaemon { request in
            guard request.path.last == "export" else { return Response(.ok, json: ["lists": [Sample.list().json]]) }
            let stream = ByteStream { continuation in
                for chunk in chunks { continuation.yield(Array(chunk.utf8)) }
                continuation.finish(throwing: breaksOff ? TransportError(.interrupted, "cut") : nil)
            }
            return Response(.ok, headers: ["Tandem-Count": "2"], body: .stream(stream))
        }
    }

    @Test func fileGoesToStandardOutputAsItComes() async throws {
        let outcome = try await runTandem(["export"], daemon(["{\"a\":", "1}\n{}\n"]))
        #expect(outcome == CommandOutcome(output: "{\"a\":1}\n{}\n"))
    }

    @Test func fileReplacesAnotherOnlyWhenItIsComplete() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/out"
            try Files.write(Array("before".utf8), to: path)
            let cut = try await runTandem(["export", "-o", path], daemon(["{}\n"], breaksOff: true))
            #expect(cut.code == 1 && cut.errors == "the export is not complete: cut")
            #expect(try Files.read(path, maximumBytes: 99) == Array("before".utf8))
            let whole = try await runTandem(["export", "--output", path], daemon(["{}\n"]))
            #expect(whole == CommandOutcome(output: "exported todo to \(path)\n"))
            #expect(try Files.read(path, maximumBytes: 99) == Array("{}\n".utf8))
        }
    }
}
