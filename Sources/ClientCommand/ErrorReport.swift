import Platform
import TandemClient

/// The end of the program with a code, where everything has been said.
struct EndedWithCode: Error, Equatable {
    let code: Int32
}

/// How errors are shown, and what the program exits with then.
enum ErrorReport {
    /// `nil` for errors that are shown as they are.
    static func of(_ error: any Error) -> Program.Report? {
        switch error {
        case let error as DaemonError: .init(error.message, hint: error.hint, exitCode: exitCode(of: error))
        case let error as InvalidItem: .init(error.message, exitCode: UsageError.exitCode)
        default: nil
        }
    }

    static func exitCode(of error: DaemonError) -> Int32 {
        switch error.code {
        case DaemonError.unreachable: 3
        case "no-such-item", "no-such-list", "no-such-conflict", "no-such-entry": 4
        case "timed-out": 5
        default: 1
        }
    }
}
