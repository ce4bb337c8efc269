package import Platform
package import Sync
package import TandemItems

/// What a store is told of itself when it is made. A store that is already there keeps what it has.
package struct NewStore: Sendable {
    /// The name that others see, for people: usually the host's.
    package var name: String
    /// The machine and the path, by which a copy is known later.
    package var machine: String
    package var path: String
    /// Where the replica id comes from.
    package var random: any RandomSource

    package init(name: String, machine: String = "", path: String = "", random: any RandomSource = SystemRandom()) {
        self.name = name
        self.machine = machine
        self.path = path
        self.random = random
    }

    /// The record of a new store, under a new replica id.
    package func makeRecord() throws -> StoreRecord {
        StoreRecord(replica: try ReplicaID.minted(random), name: name, machine: machine, path: path)
    }

    /// The lists of a new store: one, for todos, so that there is a default list from the start.
    package var lists: [ReplicaList] { [ReplicaList(name: .todo, kind: .todo)] }
}

extension ReplicaID {
    /// A new id: 16 digits of base 32, 80 random bits. Short, since every stored value names its writer; among a
    /// million replicas the chance of two equal ones is below 1 in 10¹².
    package static func minted(_ random: any RandomSource) throws -> ReplicaID {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        let text = random.bytes(16).map { digits[Int($0 & 31)] }
        return try ReplicaID(String(decoding: text, as: UTF8.self))
    }
}
