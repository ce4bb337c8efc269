import Foundation
import Replica
import SQLite
import Sync
import TandemItems

extension ReplicaStorage {
    /// Puts some of everything into a new store.
    func fill() async throws {
        let other = try ListName("other")
        try await write { transaction in
            var record = try transaction.record()
            record.clockOffset = 12
            try transaction.put(record)
            try transaction.put(ReplicaList(name: other, kind: .todo, role: .editor, cursor: Cursor("e.4.d"), lastN: 3))
            for list in [ListName.todo, other] {
                try transaction.put((0..<20).map { try makeItem("i\($0)", isDeleted: $0 == 3, version: 4) }, in: list)
                for n in 1...3 as ClosedRange<Int64> {
                    let mutation = try makeMutation(n, "i\(n + 3)")
                    try transaction.append(mutation, in: list)
                    let confirmed = try transaction.item(mutation.item, in: list)?.confirmed
                    guard let shown = Item.shown(confirmed, with: [mutation]) else { continue }
                    try transaction.put(StoredItem(confirmed: confirmed, shown: shown), in: list)
                }
            }
            try transaction.put(makeQuarantined(7))
            try transaction.setNames([ReplicaID("r2"): "laptop"])
        }
    }
}

/// Copies the files of a store, the lock excepted, as a backup of a running system does; answers where.
func copyFiles(of directory: String) throws -> String {
    let copy = directory + "-copy-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    for name in ["replica.sqlite3", "replica.sqlite3-wal"]
    where FileManager.default.fileExists(atPath: directory + "/" + name) {
        try FileManager.default.copyItem(atPath: directory + "/" + name, toPath: copy + "/" + name)
    }
    return copy
}

/// Changes a store's file behind the store's back.
func changeFile(in directory: String, _ body: (Connection) throws -> Void) throws {
    let connection = try Connection(path: directory + "/replica.sqlite3")
    defer { connection.close() }
    try body(connection)
}
