import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

private let colour = Terminal(isTerminal: true, width: 40, usesStyles: true)

@Suite("VisibleText")
struct VisibleTextTests {
    @Test(arguments: [
        ("plain – text 漢字 👍🏽 שלום", "plain – text 漢字 👍🏽 שלום"),
        ("\u{1B}[31mred\u{1B}]0;title\u{07}", #"\e[31mred\e]0;title\x07"#),
        ("a\r\nb\tc", #"a\r\nb\tc"#),
        ("\u{9B}31m\u{7F}\0", #"\x9B31m\x7F\x00"#),
        ("abc\u{202E}cba\u{2066}\u{2028}", #"abc\u{202E}cba\u{2066}\u{2028}"#),
    ])
    func whatActsOnATerminalBecomesVisible(text: String, visible: String) {
        #expect(VisibleText.escape(text) == visible)
    }
}

@Suite("DisplayWidth")
struct DisplayWidthTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("äöü", 3), ("a\u{308}", 1), ("漢字", 4), ("ひらがな", 8), ("한글", 4), ("ｆｕｌｌ", 8),
            ("שלום", 4), ("مَرحَبا", 5), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("✓", 1), ("…", 1),
            ("x\u{200D}", 1), ("\u{200F}a", 1), ("😀a漢", 5), ("𠀀", 2), ("⌚", 2),
        ] as [(String, Int)])
    func widthIsTheCellsOfATerminal(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("漢字漢字", 5, "漢字…"), ("漢字漢字", 4, "漢…"), ("abc", 0, ""),
        ("abc", 1, "…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
    ])
    func cutTextFitsAndKeepsWholeCharacters(text: String, width: Int, cut: String) {
        #expect(DisplayWidth.truncate(text, to: width) == cut)
        #expect(DisplayWidth.of(cut) <= width)
    }
}

@Suite("Table")
struct TableTests {
    private func table(_ rows: [[Table.Cell]]) -> Table {
        var table = Table([.init("ID"), .init("TEXT", isFlexible: true), .init("N", .right)])
        for row in rows { table.append(row) }
        return table
    }

    @Test func columnsLineUpWhateverTheirCharacters() {
        let table = table([["a", "milk", "1"], ["b", "漢字", "20"], ["c", "👍🏽 ok", "300"], ["d", "שלום", "4"]])
        let lines = [
            "ID  TEXT     N",
            "a   milk     1",
            "b   漢字    20",
            "c   👍🏽 ok  300",
            "d   שלום     4",
        ]
        #expect(table.render(for: .plain) == lines.map { $0 + "\n" }.joined())
        #expect(Set(lines.map(DisplayWidth.of)) == [14])
    }

    @Test func onlyFlexibleColumnsAreCutAndOnlyOnATerminal() {
        let long = String(repeating: "word ", count: 20)
        let table = table([["long-identifier", .init(long), "7"]])
        let lines = table.render(for: Terminal(isTerminal: true, width: 40, usesStyles: false)).split(separator: "\n")
        #expect(lines.map { DisplayWidth.of(String($0)) } == [40, 40])
        #expect(lines.last?.hasPrefix("long-identifier  word word") == true)
        #expect(lines.last?.hasSuffix("…  7") == true)
        #expect(table.render(for: .plain).contains(long))
    }

    @Test func textOfAnItemCannotInjectCommandsOrLines() {
        let text = table([["a", "\u{1B}[2J\u{1B}[Hgone\nsecond line", "1"]]).render(for: colour)
        #expect(!text.contains("\u{1B}[2J"))
        #expect(text.contains(#"\e[2J\e[Hgone\nsecond line"#))
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func stylesDoNotCountAsWidth() {
        let table = table([[.init("a", .bold, .red), "x", "1"]])
        #expect(table.render(for: colour).contains("\u{1B}[1;31ma\u{1B}[0m   x     1\n"))
        #expect(table.render(for: .plain) == "ID  TEXT  N\na   x     1\n")
    }

    @Test func lineHasNoSpacesAtItsEnd() {
        var table = Table([.init(""), .init("")])
        table.append(["a", ""])
        table.append(["", "b"])
        #expect(table.render(for: .plain) == "a\n   b\n")
        #expect(Table([.init("A")]).render(for: .plain).isEmpty)
    }
}

@Suite("Terminal")
struct TerminalTests {
    @Test func fileHasNeitherWidthNorStyles() throws {
        let file = try FileDescriptor(opening: "/dev/null", O_WRONLY)
        let terminal = Terminal(descriptor: file.number, environment: ["TERM": "xterm"])
        #expect(!terminal.isTerminal)
        #expect(terminal.width == nil)
        #expect(terminal.styled("x", .red) == "x")
    }

    @Test func terminalTellsItsWidth() throws {
        let terminal = try FileDescriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY)
        var size = winsize(ws_row: 24, ws_col: 123, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal.number, UInt(TIOCSWINSZ), &size) == 0)
        let number = terminal.number
        func look(_ environment: [String: String]) -> Terminal {
            Terminal(descriptor: number, environment: environment)
        }
        #expect(look([:]).width == 123)
        #expect(look([:]).styled("x", .bold, .red) == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(look(["NO_COLOR": "1"]).styled("x", .bold) == "x")
        #expect(look(["NO_COLOR": ""]).usesStyles)
        #expect(!look(["TERM": "dumb"]).usesStyles)
        size.ws_col = 0
        try #require(ioctl(terminal.number, UInt(TIOCSWINSZ), &size) == 0)
        #expect(look(["COLUMNS": "66"]).width == 66)
        #expect(look([:]).width == 80)
        withExtendedLifetime(terminal.number) {}
    }
}

@Suite("ProgressBar")
struct ProgressBarTests {
    private final class Screen: Sendable {
        let writes = Mutex<[String]>([])
        var texts: [String] { writes.withLock { $0 } }
    }

    private let screen = Screen()
    private let time = ManualTime()

    private func bar(total: Int?, on terminal: Terminal) -> ProgressBar {
        ProgressBar("Importing", total: total, terminal: terminal, time: time) { [screen] text in
            screen.writes.withLock { $0.append(text) }
        }
    }

    @Test func barShowsShareAndCounts() {
        bar(total: 200, on: Terminal(isTerminal: true, width: 80, usesStyles: false)).update(50)
        #expect(
            screen.texts == [
                "\rImporting [██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░] 25 % (50 of 200)\u{1B}[K"
            ])
    }

    @Test func updatesAreThrottled() {
        let bar = bar(total: 1_000, on: colour)
        for count in 0..<100 {
            bar.update(count)
            time.advance(by: .milliseconds(10))
        }
        #expect(screen.texts.count == 10)
    }

    @Test func lineNeverWraps() {
        let bar = bar(total: 1_000_000, on: Terminal(isTerminal: true, width: 20, usesStyles: false))
        bar.update(999_999)
        let line = screen.texts[0].dropFirst().dropLast(3)
        #expect(DisplayWidth.of(String(line)) < 20)
    }

    @Test func finishLeavesItsMessageOnce() {
        let bar = bar(total: nil, on: colour)
        bar.update(3)
        bar.finish("Imported 3 items")
        bar.finish("Imported 3 items")
        time.advance(by: .seconds(1))
        bar.update(4)
        #expect(screen.texts == ["\rImporting 3\u{1B}[K", "\r\u{1B}[KImported 3 items\n"])
    }

    @Test func nothingIsWrittenWhereNoTerminalIs() {
        let bar = bar(total: 10, on: .plain)
        bar.update(3)
        bar.finish("done")
        #expect(screen.texts.isEmpty)
    }
}
