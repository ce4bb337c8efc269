@testable import ClientCommand
import HTTP
import Synchronization
import TandemClient
import Testing
import Wire

@Suite("tandem conflicts and resolve")
struct CommandResolveTests {
    private let asked = Watched<[JSON]>([])

    private func daemon() throws -> ScriptedDaemon {
        var item = Sample.item(try Sample.id("75aa"), [.title: "Buy oat milk"])
        item.conflicts = [
            Sample.conflict("a0df1234", .title, "Buy soy milk"), Sample.conflict("a0ffffff", .deleted, true),
        ]
        let reports = item.conflicts.map {
            ConflictReport(list: .todo, item: item, conflict: $0, writers: Sample.names).json
        }
        let result = EditResult(effect: "changed", list: .todo, item: item)
        return ScriptedDaemon { [asked] request in
            switch request.path.last {
            case "conflicts": return Response(.ok, json: ["conflicts": .array(reports)])
            case "status": return Response(.ok, json: Sample.status().json)
            case "resolve":
                let body = try? JSON(parsing: request.body)  // null is no resolution, and the test sees it
                asked.update { $0 += [.string(request.path[2]), body ?? .null] }
                return Response(.ok, json: result.json)
            default: return Response(Failure.unknownRoute)
            }
        }
    }

    @Test func resolutionIsSentForTheWholeID() async throws {
        let outcome = try await runTandem(["resolve", "a0d", "--value", "2024"], daemon())
        #expect(outcome.output == "resolved: Buy oat milk (0075aa in todo): title = Buy oat milk\n")
        #expect(asked.value == ["a0df1234", ["value": "2024"]])
    }

    @Test func deletionIsResolvedInWords() async throws {
        let outcome = try await runTandem(["resolve", "a0ff", "--shown"], daemon())
        #expect(outcome.output == "resolved: Buy oat milk (0075aa in todo): the item stays\n")
        #expect(asked.value == ["a0ffffff", ["take": "shown"]])
    }

    @Test func ambiguousIDIsLeftToTheDaemon() async throws {
        _ = try await runTandem(["resolve", "a0", "--other"], daemon())
        #expect(asked.value == ["a0", ["take": "other"]])
    }

    @Test func conflictsAreListed() async throws {
        let output = try await runTandem(["conflicts"], daemon()).output
        #expect(
            output.hasPrefix("a0df  title of Buy oat milk (0075aa in todo)\n  shown  Buy oat milk  this machine, 5"))
        #expect(output.hasSuffix("\n2 conflicts in 1 item\n"))
    }
}
