@testable import ClientCommand
import Platform
import TandemClient
import Testing
import Wire

@Suite("tandem watch")
struct CommandWatchTests {
    private let time = LocalTime.timeOfDay(testNow)

    private func report(
        _ kind: ChangeReport.Change.Kind, _ fields: [FieldName] = [], isRemote: Bool = false
    ) throws -> ChangeReport {
        let due = try FieldName("due")
        let item = Sample.item(try Sample.id("75aa"), [.title: "Buy \u{1B}milk", .isCompleted: true, due: nil])
        return ChangeReport(
            stamp: 4, list: .todo, isRemote: isRemote, changes: [.init(kind: kind, item: item, fields: fields)])
    }

    private func lines(_ report: ChangeReport) -> [String] { ChangeText(screen: .forTests).lines(report) }

    @Test func changesAreLines() throws {
        let due = try FieldName("due")
        #expect(lines(try report(.inserted)) == [#"\#(time)  todo  +  Buy \emilk (0075aa)  added  local"#])
        #expect(
            lines(try report(.updated, [.isCompleted, due], isRemote: true))
                == [#"\#(time)  todo  ~  Buy \emilk (0075aa)  isCompleted = true, due removed  remote"#])
        #expect(lines(try report(.updated, [.order])) == [#"\#(time)  todo  >  Buy \emilk (0075aa)  moved  local"#])
        #expect(
            lines(try report(.removed, isRemote: true))
                == [#"\#(time)  todo  -  Buy \emilk (0075aa)  deleted  remote"#])
        #expect(
            lines(try report(.confirmed))
                == [#"\#(time)  todo  =  Buy \emilk (0075aa)  accepted by the hub  local"#])
        #expect(lines(try report(.updated)) == [#"\#(time)  todo  ~  Buy \emilk (0075aa)  changed  local"#])
    }

    @Test func openConflictsAreTold() throws {
        var report = try report(.updated)
        report.changes[0].item.conflicts = [Sample.conflict("a", .title, "x")]
        #expect(lines(report)[0].hasSuffix("1 open conflict  local"))
    }

    @Test func connectionIsToldWhenItChanges() throws {
        var log = WatchLog(isJSON: false)
        let lost = ChangeBatch(isConnected: false, problem: DaemonError(code: DaemonError.interrupted, "cut"))
        #expect(log.lines(ChangeBatch(needsReload: true, hasStatus: true), .forTests) == [])
        #expect(log.lines(lost, .forTests) == [.notice("the daemon is lost; trying again")])
        #expect(log.lines(lost, .forTests) == [])
        #expect(log.lines(ChangeBatch(hasStatus: true), .forTests) == [.notice("the daemon is back")])
        #expect(
            log.lines(ChangeBatch(needsReload: true), .forTests)
                == [.notice("changes were missed; 'tandem ls' shows what is there")])
    }

    @Test func jsonIsTheReportALine() throws {
        var log = WatchLog(isJSON: true)
        let report = try report(.inserted)
        #expect(log.lines(ChangeBatch(reports: [report]), .forTests) == [.change(report.json.text)])
    }

    @Test(.timeLimit(.minutes(1))) func changesAreFollowedUntilTheReaderIsGone() async throws {
        let fixture = SubscriptionFixture()
        let printed = Watched<[String]>([])
        let said = Watched<[String]>([])
        let context = CommandContext(
            fixture.connection, screen: .forTests, errorTerminal: .plain, time: fixture.time,
            write: { bytes in
                printed.update { $0.append(String(decoding: bytes, as: UTF8.self)) }
                if printed.value.count == 2 { throw PlatformError(code: 32, message: "broken pipe") }
            }, complain: { text in said.update { $0.append(text) } })
        async let followed: Void = WatchVerb.follow(nil, WatchLog(isJSON: true, greeting: "watching"), context)
        // Changes before it are part of what was there when the watching began.
        await said.wait { $0 == ["tandem: watching\n"] }
        fixture.daemon.commit(.inserted, try makeItem("a"))
        await printed.wait { $0.count == 1 }
        fixture.daemon.commit(.removed, try makeItem("a"))
        try await followed
        #expect(printed.value.count == 2 && printed.value[0].contains(#""kind":"inserted""#))
    }
}
