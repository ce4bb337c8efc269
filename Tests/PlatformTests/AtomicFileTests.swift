import Glibc
import Platform
import TestSupport
import Testing

@Suite("AtomicFile")
struct AtomicFileTests {
    @Test func fileTakesItsNameWhenItIsFinished() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/file"
            var file = try AtomicFile(replacing: path)
            try file.write(Array("one ".utf8))
            #expect(!Files.exists(path))
            try file.write(Array("two".utf8))
            try file.finish()
            #expect(try Files.read(path, maximumBytes: 99) == Array("one two".utf8))
        }
    }

    @Test func abandonedFileLeavesNothing() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write([1], to: directory + "/file")
            do {
                let file = try AtomicFile(replacing: directory + "/file")
                try file.write([2])
            }
            #expect(try Files.read(directory + "/file", maximumBytes: 99) == [1])
            #expect(rmdir(directory) != 0 && unlink(directory + "/file") == 0 && rmdir(directory) == 0)
        }
    }

    @Test func deviceIsWrittenToDirectly() throws {
        var file = try AtomicFile(replacing: "/dev/null")
        try file.write([1, 2, 3])
        try file.finish()
        #expect(throws: PlatformError.self) { try AtomicFile(replacing: "/nowhere/file") }
    }

    @Test func bytesAreReadInPieces() async throws {
        try await withTemporaryDirectory { directory in
            try Files.write(Array(0..<10), to: directory + "/file")
            let file = try FileDescriptor(opening: directory + "/file", O_RDONLY)
            #expect(file.size == 10)
            #expect(try file.read(maximumBytes: 8) == Array(0..<8))
            #expect(try file.read(maximumBytes: 8) == [8, 9])
            #expect(try file.read(maximumBytes: 8) == [])
        }
    }
}
