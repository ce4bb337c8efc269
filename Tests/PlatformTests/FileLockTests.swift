import Glibc
import Platform
import TestSupport
import Testing

@Suite("FileLock", .timeLimit(.minutes(5)))
struct FileLockTests {
    @Test func secondHolderInTheProcessIsRefusedByName() async throws {
        try await withTemporaryDirectory { directory in
            let lock = try FileLock(path: directory + "/lock", program: "tandemd")
            let error = try #require(throws: PlatformError.self) {
                try FileLock(path: directory + "/lock", program: "tandem-hub")
            }
            #expect(error.code == EWOULDBLOCK)
            #expect(error.description == "\(directory)/lock: is in use by tandemd (process \(getpid()))")
            withExtendedLifetime(lock) {}
        }
    }

    @Test func lockIsReleasedWithTheObject() async throws {
        try await withTemporaryDirectory { directory in
            do {
                let lock = try FileLock(path: directory + "/lock", program: "first")
                withExtendedLifetime(lock) {}
            }
            let next = try FileLock(path: directory + "/lock", program: "second")
            #expect(FileLock.holder(at: next.path) == "second (process \(getpid()))")
        }
    }

    @Test func otherProcessHoldsTheLockUntilItIsKilled() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/lock"
            let script = #"exec 9>>"$0"; flock 9; echo "$$ tandemd" >"$0"; exec sleep 60"#
            try await withChildProcess("/bin/sh", ["-c", script, path], environment: searchPath, directory: directory) {
                child in
                try await eventually { FileLock.holder(at: path) != nil }
                let error = try #require(throws: PlatformError.self) { try FileLock(path: path, program: "tandemd") }
                #expect(error.message == "is in use by tandemd (process \(child.processID))")
                child.kill(SIGKILL)
                await child.wait()
                _ = try FileLock(path: path, program: "tandemd")
            }
        }
    }

    @Test func otherProcessIsRefusedWhileThisOneHolds() async throws {
        try await withTemporaryDirectory { directory in
            let lock = try FileLock(path: directory + "/lock", program: "tandemd")
            let exit = try await withChildProcess(
                "/usr/bin/flock", ["-n", lock.path, "true"], environment: searchPath, directory: directory
            ) {
                await $0.wait()
            }
            #expect(exit == .code(1))
            withExtendedLifetime(lock) {}
        }
    }

    @Test func longerNameOfAFormerHolderLeavesNothingBehind() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write(Array("999999 a-program-with-a-long-name\n".utf8), to: directory + "/lock")
            let lock = try FileLock(path: directory + "/lock", program: "hub")
            #expect(FileLock.holder(at: lock.path) == "hub (process \(getpid()))")
        }
    }

    private let searchPath = ["PATH": "/usr/bin:/bin"]
}
