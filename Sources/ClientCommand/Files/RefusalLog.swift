import Platform
import Synchronization

/// Tells of records that were not imported as `FILE:LINE: reason`: the first ones in full, the rest as a number.
final class RefusalLog: Sendable {
    /// How many are told in full.
    static let told = 20

    private let fileName: String
    private let terminal: Terminal
    private let complain: @Sendable (String) -> Void
    private let number = Mutex(0)

    init(_ fileName: String, _ context: CommandContext) {
        self.fileName = fileName
        terminal = context.errorTerminal
        complain = context.complain
    }

    func add(line: Int, _ reason: String) {
        let text = VisibleText.escape("\(fileName):\(line): \(reason)")
        let number = number.withLock { number in
            number += 1
            return number
        }
        if number <= Self.told { tell(text) }
    }

    /// Says how many were not told in full.
    func finish() {
        let rest = number.withLock { $0 } - Self.told
        if rest > 0 { tell("\(fileName): \(rest) more like these") }
    }

    /// A progress bar may stand on the line.
    private func tell(_ text: String) { complain((terminal.isTerminal ? "\r\u{1B}[K" : "") + text + "\n") }
}
