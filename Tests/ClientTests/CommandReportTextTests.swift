@testable import ClientCommand
import Platform
import TandemClient
import Testing

@Suite("ItemReportText")
struct CommandReportTextTests {
    private let screen = Screen.forTests

    private func report(pending: [Mutation] = [], confirmed: Bool = true) throws -> ItemReport {
        let due = try FieldName("due")
        let id = try Sample.id("75aa")
        var item = Sample.item(
            id, [.title: "Buy oat milk", .isCompleted: true, due: nil], pending: pending.isEmpty ? [] : [.isCompleted])
        item.fields[.title] = Field("Buy oat milk", Sample.origin(6, by: Sample.phone, minutesAgo: 180))
        let before = Sample.item(id, version: 5, [.title: "Buy oat milk", .isCompleted: false])
        return ItemReport(
            list: .todo, role: "editor", item: item, confirmed: confirmed ? before : nil, pending: pending,
            quarantined: [], writers: Sample.names, replica: Sample.laptop)
    }

    private func mutation() throws -> Mutation {
        Mutation(
            replica: Sample.laptop, n: 9, nonce: Nonce(random: 1), item: try Sample.id("75aa"), base: Version(5),
            set: [.isCompleted: true], at: Timestamp(milliseconds: testNow - 300_000))
    }

    private func standing(_ report: ItemReport, _ status: StatusReport = Sample.status()) -> String {
        ItemReportText(report: report, status: status, screen: screen).standing
    }

    @Test(.enabled(if: LocalTime.text(0) == "1970-01-01 00:00", "absolute times are those of UTC"))
    func everyFieldSaysWhereItsValueComesFrom() throws {
        let text = ItemReportText(
            report: try report(pending: [mutation()]), status: Sample.status("offline"), screen: screen
        ).text
        #expect(
            text == """
                Buy oat milk
                01a22ceb-d592-799e-8f7f-5086e10075aa in todo
                on the hub at version 5, 1 edit pending: the hub is not reachable

                due          removed
                             version 7, by this machine, 5 min ago (2026-11-30 13:55)
                isCompleted  true
                             pending, by this machine, 5 min ago (2026-11-30 13:55)
                             on the hub: false (version 5, by this machine)
                title        Buy oat milk
                             version 6, by phone, 3 h ago (2026-11-30 11:00)

                Pending:
                  isCompleted = true  this machine, 5 min ago
                """)
    }

    @Test func standingIsToldInWords() throws {
        let pending = [try mutation()]
        #expect(standing(try report()) == "on the hub at version 5")
        #expect(standing(try report(pending: pending)) == "on the hub at version 5, 1 edit pending: on their way")
        #expect(
            standing(try report(pending: pending + pending, confirmed: false), Sample.status("offline"))
                == "only here, 2 edits pending: the hub is not reachable")
        #expect(
            standing(try report(pending: pending, confirmed: false), Sample.status("detached"))
                == "only here, 1 edit pending: no hub is joined")
        #expect(standing(try report(), Sample.status("detached")) == "on the hub that was left at version 5")
        var reader = try report(pending: pending)
        reader.role = "reader"
        #expect(standing(reader).hasSuffix("1 edit pending: this machine may only read the list"))
    }

    @Test func deletedAndRefusedItemsSaySo() throws {
        var report = try report()
        report.item.fields[.deleted] = Field(true, Sample.origin(0))
        report.quarantined = [
            .init(
                id: "d199", list: .todo, mutation: try mutation(), refusal: .replicaForked,
                since: Timestamp(milliseconds: testNow))
        ]
        #expect(standing(report) == "deleted here; on the hub at version 5, 1 edit refused by the hub")
        let text = ItemReportText(report: report, status: Sample.status(), screen: screen).text
        #expect(text.contains("tandem quarantine retry d199 | tandem quarantine discard d199"))
    }

    @Test func conflictShowsBothValuesAndTheCommands() throws {
        var item = Sample.item(try Sample.id("75aa"), [.title: "Buy oat milk"])
        item.conflicts = [
            Sample.conflict("a0df1234", .title, "Buy \u{1B}soy milk"), Sample.conflict("b1f00000", .deleted, true),
        ]
        let reports = item.conflicts.map {
            ConflictReport(list: .todo, item: item, conflict: $0, writers: Sample.names)
        }
        #expect(
            ConflictText(reports: reports, own: Sample.laptop, screen: screen).text == #"""
                a0df  title of Buy oat milk (0075aa in todo)
                  shown  Buy oat milk  this machine, 5 min ago
                  other  Buy \esoy milk  phone, 3 h ago
                  tandem resolve a0df --shown | --other | --value VALUE

                b1f0  deletion of Buy oat milk (0075aa in todo)
                  shown  the item stays
                  other  the item is deleted  phone, 3 h ago
                  tandem resolve b1f0 --shown | --other | --value VALUE

                2 conflicts in 1 item
                """#)
    }

    @Test func timesOfOthersAreSeenFromHubTime() throws {
        var screen = screen
        screen.clockOffset = 60_000
        #expect(screen.hubTime(Timestamp(milliseconds: testNow)) == "1 min ago")
        #expect(screen.time(Timestamp(milliseconds: testNow)) == "just now")
    }

    @Test func timesInAFileAreAbsolute() {
        let screen = Screen(terminal: .plain, now: testNow)
        let instant = Timestamp(milliseconds: testNow)
        #expect(screen.hubTime(instant) == LocalTime.text(testNow))
        #expect(screen.hubTimeInFull(instant) == LocalTime.text(testNow))
    }
}
