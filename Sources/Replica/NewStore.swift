package import Platform
package import Sync
import TandemItems

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
    package func makeRecord() -> StoreRecord {
        StoreRecord(
            replica: ReplicaID(random: (random.next(), random.next())), name: name, machine: machine, path: path)
    }

    /// The lists of a new store: one, for todos, so that there is a default list from the start.
    package var lists: [ReplicaList] { [ReplicaList(name: .todo, kind: .todo)] }
}
