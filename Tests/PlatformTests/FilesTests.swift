import Glibc
import Platform
import TestSupport
import Testing

@Suite("Files")
struct FilesTests {
    @Test func directoryIsMadeWithItsParentsForThisUserOnly() async throws {
        try await withTemporaryDirectory { directory in
            try Files.createDirectory(directory + "/a/b/c")
            try Files.createDirectory(directory + "/a/b/c")
            #expect(mode(of: directory + "/a") == 0o700)
            #expect(mode(of: directory + "/a/b/c") == 0o700)
        }
    }

    @Test func fileInTheWayOfADirectoryIsNamed() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write([], to: directory + "/a")
            let error = try #require(throws: PlatformError.self) { try Files.createDirectory(directory + "/a/b") }
            #expect(error.path == directory + "/a")
            #expect(error.code == EEXIST)
        }
    }

    @Test func writeReplacesTheWholeFileAndLeavesNoOther() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write(Array("a long first text".utf8), to: directory + "/file")
            try Files.write(Array("second".utf8), to: directory + "/file", mode: 0o640)
            #expect(try Files.read(directory + "/file", maximumBytes: 100) == Array("second".utf8))
            #expect(mode(of: directory + "/file") == 0o640)
            #expect(try Files.names(in: directory) == ["file"])
        }
    }

    @Test func readerSeesOneOfTheTwoTextsWhileTheyAreWritten() async throws {
        try await withTemporaryDirectory { directory in
            let texts = [[UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 100_000)]
            try Files.write(texts[0], to: directory + "/file")
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for round in 0..<30 { try Files.write(texts[round % 2], to: directory + "/file") }
                }
                for _ in 0..<200 {
                    #expect(texts.contains(try Files.read(directory + "/file", maximumBytes: 200_000)))
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func failedWriteLeavesTheOldFileAndNoTemporary() async throws {
        try await withTemporaryDirectory { directory in
            try Files.createDirectory(directory + "/target/full")
            #expect(throws: PlatformError.self) { try Files.write([1], to: directory + "/target") }
            #expect(try Files.names(in: directory) == ["target"])
        }
    }

    @Test func fileOverTheBoundIsRefused() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write([1, 2, 3], to: directory + "/file")
            #expect(try Files.read(directory + "/file", maximumBytes: 3) == [1, 2, 3])
            let error = try #require(throws: PlatformError.self) {
                try Files.read(directory + "/file", maximumBytes: 2)
            }
            #expect(error.code == EFBIG)
        }
    }

    @Test func removingNothingIsNoError() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write([], to: directory + "/file")
            #expect(try Files.remove(directory + "/file"))
            #expect(try !Files.remove(directory + "/file"))
            #expect(!Files.exists(directory + "/file"))
        }
    }

    @Test func errorSaysPathAttemptAndReason() throws {
        let error = try #require(throws: PlatformError.self) { try Files.read("/no/such/file", maximumBytes: 1) }
        #expect(error.description == "/no/such/file: cannot open: No such file or directory")
    }

    @Test(arguments: [
        ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("/a/b/", "/a"), ("/a//b", "/a"), ("/", "/"), ("", "."),
    ])
    func parentIsTheDirectoryThatHoldsTheName(path: String, parent: String) {
        #expect(Files.parent(of: path) == parent)
    }

    @Test func privateDirectoryRefusesWhatOthersCanEnter() async throws {
        try await withTemporaryDirectory { directory in
            try Files.createPrivateDirectory(directory + "/own")
            try Files.createPrivateDirectory(directory + "/own")
            chmod(directory + "/own", 0o755)
            #expect(throws: PlatformError.self) { try Files.createPrivateDirectory(directory + "/own") }
            symlink("/tmp", directory + "/link")
            #expect(throws: PlatformError.self) { try Files.createPrivateDirectory(directory + "/link") }
        }
    }

    private func mode(of path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
