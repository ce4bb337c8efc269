import Platform
import TandemItems
import Wire

/// Reads the daemon's events into an inbox for as long as its task lives: through restarts of the daemon, from the last
/// stamp on.
struct ChangeReader: Sendable {
    /// The wait after the first failure; it doubles with each that follows.
    static let firstPause = Duration.milliseconds(100)
    /// The longest wait.
    static let longestPause = Duration.seconds(10)

    private let connection: DaemonConnection
    private let list: ListName?
    private let inbox: ChangeInbox
    private let time: any TimeSource
    private let random: any RandomSource
    private var stamp: Int64?
    private var failures = 0

    init(
        _ connection: DaemonConnection, _ list: ListName?, since stamp: Int64?, into inbox: ChangeInbox,
        time: any TimeSource, random: any RandomSource
    ) {
        self.connection = connection
        self.list = list
        self.inbox = inbox
        self.time = time
        self.random = random
        self.stamp = stamp
    }

    /// Returns once the task is cancelled.
    mutating func run() async {
        while !Task.isCancelled {
            do throws(DaemonError) {
                try await readStream()
            } catch {
                inbox.lose(error)
            }
            let pause = nextPause()
            guard (try? await time.sleep(for: pause)) != nil else { return }  // it throws when cancelled
        }
    }

    /// Reads one stream to its end, which is a failure as well.
    private mutating func readStream() async throws(DaemonError) {
        var events = try await connection.events(since: stamp)
        while let (event, bytes) = try await events.next() { take(event, bytes) }
        throw DaemonError(code: DaemonError.interrupted, "the daemon has closed the stream of changes")
    }

    private mutating func take(_ event: LocalEvent, _ bytes: Int) {
        switch event {
        case .hello(let start): begin(at: start, needsReload: start != stamp)
        case .reload(let start): begin(at: start, needsReload: true)
        case .status: inbox.addStatus()
        case .changes(let report):
            stamp = report.stamp
            let isWanted = list == nil || report.list == list
            if isWanted { inbox.add(report, bytes: bytes) } else { inbox.pass(report.stamp) }
        }
    }

    private mutating func begin(at start: Int64, needsReload: Bool) {
        (stamp, failures) = (start, 0)
        inbox.begin(at: start, needsReload: needsReload)
    }

    /// Between half of the pause and all of it, so that many clients do not come back at once.
    private mutating func nextPause() -> Duration {
        let pause = min(Self.firstPause * (1 << min(failures, 10)), Self.longestPause)
        failures += 1
        var generator = random.generator
        return pause / 2 + .milliseconds(Int64.random(in: 0...(pause / 2).milliseconds, using: &generator))
    }
}
