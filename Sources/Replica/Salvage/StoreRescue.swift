import Platform
import SQLite
import Sync
import TandemItems

/// The steps that put a damaged store aside and a sound one in its place. Called with the store's lock held.
///
/// A file in the directory says that they are under way, and where to: until the new store holds all that was
/// salvaged, no opening takes it for whole, and the steps can be begun again wherever they were cut short.
struct StoreRescue {
    let files: ReplicaFiles
    /// Unix milliseconds.
    let now: Int64

    static func isUnfinished(_ files: ReplicaFiles) -> Bool { Files.exists(files.rescue) }

    /// Moves the damaged files away and answers where they are.
    func moveAside() throws -> ReplicaFiles {
        let aside = try makeDirectory()
        try move(to: aside)
        return aside
    }

    /// All of it. What cannot be read is lost to the new store, and kept in the old files.
    func run(_ opening: ReplicaOpening) throws -> Salvage {
        let aside: ReplicaFiles
        if Self.isUnfinished(files) {
            let path = String(decoding: try Files.read(files.rescue, maximumBytes: 4096), as: UTF8.self)
            aside = ReplicaFiles(directory: files.directory + "/" + path)
            try Files.createDirectory(aside.directory)
        } else {
            aside = try makeDirectory()
            let name = aside.directory.utf8.dropFirst(files.directory.utf8.count + 1)
            try Files.write(Array(name), to: files.rescue)
        }
        if Files.exists(aside.database) {
            // The damaged files are all there; what lies in their place is a store that was not finished.
            for part in files.parts { try Files.remove(part) }
        } else {
            try move(to: aside)
        }
        let salvage = try rebuild(from: aside, opening)
        try Files.remove(files.rescue)
        return salvage
    }

    /// What can be read of the files that were moved.
    static func read(_ aside: ReplicaFiles) -> Salvage {
        var salvage = Salvage(directory: aside.directory)
        DamagedStore(aside)?.read(into: &salvage)
        return salvage
    }

    private func rebuild(from aside: ReplicaFiles, _ opening: ReplicaOpening) throws -> Salvage {
        var salvage = Self.read(aside)
        try opening.makeStore { change in
            let items = StoreRestoration(change: change, new: opening.new)
            try items.restore(&salvage, DamagedStore(aside))
        }
        return salvage
    }

    private func move(to aside: ReplicaFiles) throws {
        for (source, target) in zip(files.parts, aside.parts) where Files.exists(source) {
            try Files.move(source, to: target)
        }
    }

    /// `set-aside-20260131T235959Z`, with a number behind it where that is there already.
    private func makeDirectory() throws -> ReplicaFiles {
        let time = UTCTime.text(now).utf8.prefix(19).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let path = files.directory + "/set-aside-" + String(decoding: time, as: UTF8.self) + "Z"
        var aside = path
        var number = 2
        while Files.exists(aside) {
            aside = "\(path)-\(number)"
            number += 1
        }
        try Files.createDirectory(aside)
        return ReplicaFiles(directory: aside)
    }
}
