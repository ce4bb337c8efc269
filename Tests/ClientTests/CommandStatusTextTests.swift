@testable import ClientCommand
import Platform
import TandemClient
import Testing

@Suite("StatusText")
struct CommandStatusTextTests {
    private func text(_ report: StatusReport) -> String { StatusText(report: report, screen: .forTests).text }

    private func heading(_ report: StatusReport) -> String { StatusText(report: report, screen: .forTests).heading }

    @Test func syncedReplicaIsDescribedInFull() throws {
        let lists = [Sample.list(items: 8, conflicts: 1), Sample.list(try ListName("work"), items: 12)]
        #expect(
            text(Sample.status(lists: lists)) == """
                ● live: everything is synced
                  hub           Home hub (http://hub.example:8440)
                  this machine  laptop (store /var/lib/tandem)
                  pending       none
                  conflicts     1 item: tandem conflicts
                  quarantine    none

                LIST  KIND  ROLE    ITEMS  PENDING  BEHIND  CONFLICTS  QUARANTINE
                todo  todo  editor      8        0       0          1           0
                work  todo  editor     12        0       0          0           0

                """)
    }

    @Test func offlineReplicaSaysWhatWaitsAndWhatToDo() {
        let problem = StatusReport.Problem(
            code: "unreachable", message: "no route to host", hint: "nothing to do: edits are kept")
        let lists = [Sample.list(pending: 2, lag: nil)]
        #expect(
            text(Sample.status("offline", lists: lists, isCaughtUp: false, problem: problem, nextTry: 12_000)) == """
                ● offline: the hub is not reachable, next try in 12 s; edits are kept
                  hub           Home hub (http://hub.example:8440)
                  last contact  3 min ago
                  this machine  laptop (store /var/lib/tandem)
                  pending       2 edits
                  conflicts     none
                  quarantine    none

                ! no route to host
                  hint: nothing to do: edits are kept

                LIST  KIND  ROLE    ITEMS  PENDING  BEHIND  CONFLICTS  QUARANTINE
                todo  todo  editor      3        2       ?          0           0

                """)
    }

    @Test func replicaWithoutHubIsNotDescribedAsFailing() {
        #expect(
            text(Sample.status("detached", lists: [Sample.list(role: nil, pending: 3, lag: nil)])) == """
                ○ detached: no hub is joined; the lists are on this machine only ('tandem join LINK' shares them)
                  this machine  laptop (store /var/lib/tandem)
                  conflicts     none

                LIST  KIND  ITEMS  CONFLICTS
                todo  todo      3          0

                """)
    }

    @Test func progressCountsBothDirections() {
        let lists = [Sample.list(pending: 3, lag: 12)]
        #expect(
            heading(Sample.status(lists: lists, isCaughtUp: false)) == "● live: 3 edits to send, 12 changes to fetch")
        #expect(
            heading(Sample.status("polling", lists: [Sample.list(pending: 1)])) == "● polling: 1 edit to send")
    }

    @Test func listThatTheHubDoesNotHaveIsNoBacklog() throws {
        let own = Sample.list(try ListName("own"), role: nil, pending: 2, lag: nil)
        let text = text(Sample.status(lists: [Sample.list(), own]))
        #expect(text.contains("live: everything shared is synced\n"))
        #expect(text.contains("pending       none (and 2 edits in lists that the hub does not have)\n"))
        #expect(text.contains("own   todo  not shared      3        2       -          0           0\n"))
    }

    @Test(arguments: [
        (-190_000, "this machine's clock is 3 min ahead of the hub's"),
        (2_500, "this machine's clock is 2 s behind the hub's"),
        (3 * 86_400_000, "this machine's clock is 3 days behind the hub's"),
    ]) func clockThatIsOffIsTold(_ offset: Int64, _ words: String) {
        #expect(text(Sample.status(clockOffset: offset)).contains("  clock         \(words)\n"))
    }

    @Test func smallClockOffsetIsNotTold() {
        #expect(!text(Sample.status(clockOffset: -1_900)).contains("clock"))
    }

    @Test(arguments: [
        "detached", "starting", "live", "polling", "offline", "auth-required", "upgrade-required", "stalled",
    ]) func everyStateHasWords(_ state: String) {
        #expect(!heading(Sample.status(state)).contains("does not know"))
    }

    @Test func coloursAreOnlyForTerminalsThatHaveThem() {
        let terminal = Terminal(isTerminal: true, width: 80, usesStyles: true)
        let colourful = StatusText(report: Sample.status(), screen: Screen(terminal: terminal, now: testNow))
        #expect(colourful.heading.hasPrefix("\u{1B}[32m●\u{1B}[0m \u{1B}[32;1mlive\u{1B}[0m: "))
        #expect(!text(Sample.status()).contains("\u{1B}"))
    }

    @Test func textOfTheHubCannotReachTheTerminal() {
        let problem = StatusReport.Problem(code: "x", message: "bad \u{1B}[2J", hint: "worse \u{7}")
        let text = text(Sample.status(problem: problem))
        #expect(text.contains(#"! bad \e[2J"#) && text.contains(#"hint: worse \x07"#))
    }
}
