import Glibc
import TestSupport
import Testing

@Suite("ChildProcess", .timeLimit(.minutes(5)))
struct ChildProcessTests {
    @Test func outputAndExitCodeAreKept() async throws {
        try await withTemporaryDirectory { directory in
            let script = "echo out $A; echo err >&2; exit 7"
            try await withChildProcess("/bin/sh", ["-c", script], environment: ["A": "b"], directory: directory) {
                child in
                #expect(await child.wait() == .code(7))
                let texts = (try child.output, try child.errorOutput)
                #expect(texts == ("out b\n", "err\n"))
            }
        }
    }

    @Test func signalReachesTheProcess() async throws {
        try await withTemporaryDirectory { directory in
            try await withChildProcess("/bin/sleep", ["60"], directory: directory) {
                $0.kill(SIGTERM)
                #expect(await $0.wait() == .signal(SIGTERM))
                $0.kill(SIGTERM)
            }
        }
    }

    @Test func processEndsWithTheFixture() async throws {
        try await withTemporaryDirectory { directory in
            let child = try await withChildProcess("/bin/sleep", ["60"], directory: directory) { $0 }
            #expect(child.exit == .signal(SIGKILL))
        }
    }

    @Test func programsStandBesideTheTests() throws {
        for name in ["tandem-hub", "tandemd", "tandem"] { #expect(try builtProduct(name).hasSuffix("/" + name)) }
        #expect(throws: MissingProduct.self) { try builtProduct("no-such-program") }
    }

    @Test func missingProgramIsAnErrorWithItsPath() async throws {
        await #expect(throws: (any Error).self) {
            try await withTemporaryDirectory { directory in
                try await withChildProcess("/no/such", directory: directory) { _ in }
            }
        }
    }
}
