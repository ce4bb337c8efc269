import Dispatch
import Glibc
import Platform
import Synchronization

/// A program that a test started. Output goes to files, so a child never stops on a full pipe; it is ended by its
/// process id, at the latest when `withChildProcess` returns.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    private struct State {
        var exit: Exit?
        var waiting: [CheckedContinuation<Exit, Never>] = []
    }

    package let processID: Int32
    private let outputPath: String
    private let errorPath: String
    private let state = Mutex(State())

    /// Starts a program with exactly this environment; output goes to two files named after `name` in `directory`.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], directory: String,
        name: String
    ) throws {
        outputPath = directory + "/" + name + ".stdout"
        errorPath = directory + "/" + name + ".stderr"
        processID = try Self.spawn(program, arguments, environment, outputPath, errorPath)
        DispatchQueue(label: "child-\(processID)").async { [self] in awaitEnd() }
    }

    /// Everything the process has written to standard output so far.
    package var output: String {
        get throws { try Self.text(of: outputPath) }
    }

    /// Everything the process has written to standard error so far.
    package var errorOutput: String {
        get throws { try Self.text(of: errorPath) }
    }

    /// How the process ended; `nil` while it runs.
    package var exit: Exit? {
        state.withLock { $0.exit }
    }

    /// Sends a signal; nothing once the process has ended, so that the signal cannot reach another with its number.
    package func kill(_ signal: Int32) {
        state.withLock { state in
            if state.exit == nil { _ = Glibc.kill(processID, signal) }
        }
    }

    /// Returns when the process has ended.
    @discardableResult
    package func wait() async -> Exit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// On a queue of its own: waitid(2) blocks. The process is reaped under the lock that `kill` takes.
    private func awaitEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let (exit, waiting) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            let exit = signal == 0 ? Exit.code(status >> 8 & 0xFF) : Exit.signal(signal)
            state.exit = exit
            defer { state.waiting = [] }
            return (exit, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: exit) }
    }

    private static func text(of path: String) throws -> String {
        String(decoding: try Files.read(path, maximumBytes: 64 << 20), as: UTF8.self)
    }
}

extension ChildProcess {
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ output: String, _ error: String
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setDefaultSignals(&attributes)
        var child: pid_t = 0
        let code = withStrings([program] + arguments) { argv in
            withStrings(environment.map { $0.key + "=" + $0.value }) { envp in
                posix_spawn(&child, program, &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else { throw PlatformError(code: code, message: "cannot start", path: program) }
        return child
    }

    /// The child gets default signals and an empty mask whatever this process has done to its own.
    private static func setDefaultSignals(_ attributes: inout posix_spawnattr_t) {
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    }

    /// Lends C strings with the closing null pointer that execve(2) wants.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

/// Runs a test's body beside a child process, which is killed, if it still runs, and reaped before this returns.
package func withChildProcess<Result>(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], directory: String,
    name: String = "child", _ body: (ChildProcess) async throws -> Result
) async throws -> Result {
    let child = try ChildProcess(program, arguments, environment: environment, directory: directory, name: name)
    do {
        let result = try await body(child)
        child.kill(SIGKILL)
        await child.wait()
        return result
    } catch {
        child.kill(SIGKILL)
        await child.wait()
        throw error
    }
}
