import Platform
import TandemClient

/// What text is made for: a person at a terminal or a file, and the moment.
struct Screen: Sendable {
    let terminal: Terminal
    /// This machine's clock, in Unix milliseconds.
    var now: Int64
    /// Hub time less this machine's, where it is known: what others stamped is seen from hub time.
    var clockOffset: Int64 = 0

    /// An instant of this machine's clock: relative on a terminal, elsewhere absolute, so that a file stays true.
    func time(_ instant: Timestamp) -> String {
        terminal.isTerminal
            ? RelativeTime.text(instant.milliseconds, now: now) : LocalTime.text(instant.milliseconds)
    }

    /// An instant that a mutation carries, in hub time.
    func hubTime(_ instant: Timestamp) -> String {
        terminal.isTerminal
            ? RelativeTime.text(instant.milliseconds, now: hubNow) : LocalTime.text(instant.milliseconds)
    }

    /// Both: `3 min ago (2026-01-02 03:04)`.
    func hubTimeInFull(_ instant: Timestamp) -> String {
        let absolute = LocalTime.text(instant.milliseconds)
        return terminal.isTerminal ? "\(hubTime(instant)) (\(absolute))" : absolute
    }

    /// Text from others, made safe and styled.
    func text(_ text: String, _ styles: TextStyle...) -> String {
        terminal.styled(VisibleText.escape(text), styles)
    }

    private var hubNow: Int64 { now.addingReportingOverflow(clockOffset).partialValue }
}

/// `1 item`, `3 items`.
func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
