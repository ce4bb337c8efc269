import Glibc
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

@Suite("Stores that are not to be touched", .serialized, .timeLimit(.minutes(2)))
struct StoreProcessTests {
    /// Starts a program that is to refuse, and gives what it said.
    private func refused(_ tandem: Tandem, _ program: String, _ words: String...) async throws -> Tandem.Output {
        let process = try tandem.start(program, words, "refused")
        try await eventually("\(program) ends") { process.exit != nil }
        return try await tandem.end(of: process)
    }

    private func contents(_ path: String) throws -> [UInt8] { try Files.read(path, maximumBytes: 64 << 20) }

    @Test func secondDaemonOnAStoreIsRefused() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let holder = try tandem.daemon("anna").processID
            let socket = tandem.directory + "/second.sock"
            try await refused(tandem, "tandemd", "--store", tandem.store("anna"), "--socket", socket).expectFailure(
                1, "is in use by tandemd (process \(holder))\n", hint: "one daemon uses a store at a time")
            #expect(!Files.exists(socket))
            try await tandem.done("anna", "add", "Milk")
            #expect(try await tandem.values(on: "anna") == ["Milk"])
        }
    }

    @Test func secondHubOnAStoreIsRefused() async throws {
        try await Tandem.with(["anna"]) { tandem in
            let hub = tandem.directory + "/hub"
            let address = try contents(hub + "/address")
            let holder = try #require(tandem.hub?.processID)
            try await refused(tandem, "tandem-hub", "serve", "--store", hub, "--listen", "127.0.0.1:0").expectFailure(
                1, "is in use by tandem-hub (process \(holder))\n", hint: "one hub serves a store at a time")
            #expect(try contents(hub + "/address") == address)
            try await tandem.done("anna", "add", "Milk")
            #expect(try await tandem.converge("anna").count == 1)
        }
    }

    @Test func hubOnATakenPortIsRefused() async throws {
        try await Tandem.with { tandem in
            let place = "127.0.0.1:\(tandem.proxy.port)"
            let store = tandem.directory + "/other"
            try await refused(tandem, "tandem-hub", "serve", "--store", store, "--listen", place).expectFailure(
                1, place, "Address already in use", hint: "--listen")
        }
    }

    @Test func socketOfADaemonThatIsGoneIsReplaced() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            _ = await tandem.stopDaemon("anna", SIGKILL)
            #expect(Files.exists(tandem.socket("anna")))
            try await tandem.startDaemon("anna")
            try await tandem.done("anna", "add", "Milk")
            _ = await tandem.stopDaemon("anna")
            #expect(!Files.exists(tandem.socket("anna")))
        }
    }

    @Test func socketThatAnotherDaemonAnswersOnIsLeftToIt() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            let socket = tandem.socket("anna")
            try await refused(tandem, "tandemd", "--store", tandem.store("ben"), "--socket", socket).expectFailure(
                1, socket, "another server answers there", hint: "--socket")
            try await tandem.done("anna", "add", "Milk")
            // The store that was made on the way is whole.
            try await tandem.startDaemon("ben")
        }
    }

    @Test func fileInPlaceOfTheSocketIsLeftAlone() async throws {
        try await Tandem.with { tandem in
            let path = try tandem.write("precious", "Mine")
            try await refused(tandem, "tandemd", "--store", tandem.store("ben"), "--socket", path).expectFailure(
                1, path, "a file that is no socket is in the way", hint: "--socket")
            #expect(try contents(path) == Array("Mine".utf8))
        }
    }

    @Test func storeOfANewerDaemonIsLeftByteForByte() async throws {
        try await Tandem.with(["anna"], joined: false) { tandem in
            try await tandem.done("anna", "add", "Milk")
            _ = await tandem.stopDaemon("anna")
            let database = tandem.store("anna") + "/replica.sqlite3"
            let old = try contents(database)
            try Files.write(old.withUserVersion(999), to: database)
            try await refused(
                tandem, "tandemd", "--store", tandem.store("anna"), "--socket", tandem.socket("anna")
            ).expectFailure(1, "schema 999", hint: "upgrade tandemd")
            #expect(try contents(database) == old.withUserVersion(999))
            #expect(!Files.exists(tandem.socket("anna")))
            try Files.write(old, to: database)
            try await tandem.startDaemon("anna")
            #expect(try await tandem.values(on: "anna") == ["Milk"])
        }
    }

    @Test func storeOfANewerHubIsLeftByteForByte() async throws {
        try await Tandem.with { tandem in
            await tandem.stopHub()
            let hub = tandem.directory + "/hub"
            let old = try contents(hub + "/hub.sqlite")
            try Files.write(old.withUserVersion(999), to: hub + "/hub.sqlite")
            for words in [["serve", "--listen", "127.0.0.1:0"], ["list", "ls"], ["list", "add", "more"]] {
                let process = try tandem.start("tandem-hub", words + ["--store", hub], "refused")
                try await eventually("the hub ends") { process.exit != nil }
                try await tandem.end(of: process).expectFailure(1, "999", hint: "upgrade tandem-hub")
            }
            #expect(try contents(hub + "/hub.sqlite") == old.withUserVersion(999))
            try Files.write(old, to: hub + "/hub.sqlite")
            try await tandem.startHub()
            #expect(try await tandem.hubCommand("list", "ls").text.contains("todo"))
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system is for root"))
    func storeOnAReadOnlyDiskIsRefused() async throws {
        try await Tandem.with { tandem in
            try await SmallDisk.with(at: tandem.store("anna"), megabytes: 8) { disk in
                try await tandem.startDaemon("anna")
                try await tandem.done("anna", "add", "Milk")
                _ = await tandem.stopDaemon("anna")
                try await disk.remount("ro")
                try await refused(
                    tandem, "tandemd", "--store", tandem.store("anna"), "--socket", tandem.socket("anna")
                ).expectFailure(1, "Read-only file system", hint: "make the store's directory writable")
                try await disk.remount("rw")
                try await tandem.startDaemon("anna")
                #expect(try await tandem.values(on: "anna") == ["Milk"])
                _ = await tandem.stopDaemon("anna")
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system is for root"))
    func hubsStoreOnAReadOnlyDiskIsRefused() async throws {
        try await Tandem.with { tandem in
            await tandem.stopHub()
            let hub = tandem.directory + "/small"
            try await SmallDisk.with(at: hub, megabytes: 8) { disk in
                #expect(try await refused(tandem, "tandem-hub", "list", "add", "todo", "--store", hub).exit == .code(0))
                try await disk.remount("ro")
                for words in [["serve", "--listen", "127.0.0.1:0"], ["list", "add", "more"]] {
                    let process = try tandem.start("tandem-hub", words + ["--store", hub], "refused")
                    try await eventually("the hub ends") { process.exit != nil }
                    try await tandem.end(of: process).expectFailure(
                        1, "Read-only file system", hint: "make the store's directory writable")
                }
            }
        }
    }
}

extension [UInt8] {
    /// A database file as a program with another schema would have left it: the version is a big-endian number at
    /// byte 60 (https://sqlite.org/fileformat2.html, 1.3).
    fileprivate func withUserVersion(_ version: UInt32) -> [UInt8] {
        var file = self
        for index in 0..<4 { file[60 + index] = UInt8(truncatingIfNeeded: version >> (24 - 8 * UInt32(index))) }
        return file
    }
}
