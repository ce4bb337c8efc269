import Glibc
import Platform
import TestSupport
import Testing

@Suite("Logger")
struct LoggerTests {
    private let recorder = LogRecorder()
    private let time = ManualTime(now: 1_700_000_000_123)

    @Test func lineForATerminalIsLogfmtWithTime() {
        Logger(sink: recorder, time: time).with(["part": "sync"]).warning("Hub is slow", ["took": 12, "list": "a b"])
        #expect(
            recorder.records.map(\.withTime) == [
                #"time=2023-11-14T22:13:20.123Z level=warning msg="Hub is slow" part=sync took=12 list="a b""#
            ])
    }

    @Test func lineForTheJournalHasAPriorityAndNoTime() {
        let logger = Logger(level: .debug, sink: recorder, time: time)
        logger.error("e")
        logger.warning("w")
        logger.notice("n")
        logger.info("i", ["n": 1])
        logger.debug("d")
        #expect(recorder.records.map(\.withPriority) == ["<3>e", "<4>w", "<5>n", "<6>i n=1", "<7>d"])
    }

    @Test func valueCannotBeginALineOrAField() {
        Logger(sink: recorder, time: time).info("m", ["a": "x\nlevel=error", "b": #"q"\"#, "c": "", "d": "\u{1B}[31m"])
        let line = recorder.records[0].withTime
        #expect(line.hasSuffix(#" a="x\nlevel=error" b="q\"\\" c="" d="\e[31m""#))
        #expect(!line.contains("\n"))
    }

    @Test func lowerLevelsAreNeitherWrittenNorComputed() {
        var wasComputed = false
        func value() -> String {
            wasComputed = true
            return "v"
        }
        Logger(level: .warning, sink: recorder, time: time).info("m", ["a": value()])
        #expect(recorder.records.isEmpty)
        #expect(!wasComputed)
    }

    @Test func levelsHaveNamesAndAnOrder() throws {
        for level in LogLevel.allCases { #expect(try LogLevel(configured: level.name, in: "f") == level) }
        #expect(try LogLevel(configured: nil, in: "f") == .info)
        let error = #expect(throws: ConfigurationError.self) { try LogLevel(configured: "loud", in: "f") }
        #expect(error?.description == "f: logLevel: 'loud' is none of error, warning, notice, info, debug")
        #expect(LogLevel.error > .debug)
    }

    @Test func journalIsKnownByDeviceAndInode() async throws {
        try await withTemporaryDirectory { directory in
            let file = try FileDescriptor(opening: directory + "/log", O_WRONLY | O_CREAT)
            var status = stat()
            fstat(file.number, &status)
            let number = file.number
            func leads(_ environment: [String: String]) -> Bool {
                StandardErrorSink.leadsToJournal(number, environment: environment)
            }
            #expect(leads(["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]))
            #expect(!leads(["JOURNAL_STREAM": "8:12345678"]))
            #expect(!leads([:]))
        }
    }

    @Test func recordsOfManyThreadsAllArrive() async {
        let logger = Logger(sink: recorder, time: time)
        await withTaskGroup { group in
            for index in 0..<50 { group.addTask { logger.info("m", ["n": index]) } }
        }
        #expect(Set(recorder.records.compactMap { $0["n"] }).count == 50)
    }
}
