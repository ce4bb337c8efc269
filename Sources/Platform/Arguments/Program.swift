import Glibc

/// Runs a program's command line: help to standard output, mistakes and errors to standard error, and the exit code.
package enum Program {
    /// The version that every program of this package tells.
    package static let version = "0.1.0"

    /// An error as a program shows it: what happened, and what to do about it.
    package struct Report: Sendable {
        package var message: String
        package var hint: String?
        package var exitCode: Int32

        package init(_ message: String, hint: String? = nil, exitCode: Int32 = 1) {
            self.message = message
            self.hint = hint
            self.exitCode = exitCode
        }

        fileprivate init(describing error: any Error) {
            if let error = error as? ConfigurationError {
                self.init(error.subject + ": " + error.message, hint: error.hint)
            } else {
                self.init("\(error)")
            }
        }
    }

    /// Parses the process's words and runs `body`. Does not return.
    ///
    /// - Parameter describe: how errors of the program's own kinds are shown; `nil` shows them as they are.
    package static func run(
        _ command: Command, describe: (any Error) -> Report?, _ body: (Parsed) async throws -> Void
    ) async -> Never {
        do {
            switch try command.parse(Array(CommandLine.arguments.dropFirst()), terminal: .standardOutput) {
            case .help(let text): print(text)
            case .run(let parsed): try await body(parsed)
            }
            exit(0)
        } catch let error as UsageError {
            Output.standardError("\(error)\n")
            exit(UsageError.exitCode)
        } catch {
            let report = describe(error) ?? Report(describing: error)
            let name = command.name
            Output.standardError("\(name): \(VisibleText.escape(report.message))\n")
            if let hint = report.hint { Output.standardError("hint: \(VisibleText.escape(hint))\n") }
            exit(report.exitCode)
        }
    }
}
