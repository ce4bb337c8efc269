import Sync
import Hub
import HubStore
import Replica
import TandemItems

/// What holds once faults are over and everything rests.
struct EndChecks {
    let world: World

    func run() {
        for replica in world.replicas {
            checkConvergence(replica)
            replica.process?.watcher?.check()
        }
        for list in world.hub.storage.state.lists.values { checkHistory(list) }
        world.oracle.settle(world)
    }

    /// The replica's rows are the hub's, compared one by one.
    func checkConvergence(_ replica: SimulatedReplica) {
        for list in world.hub.storage.state.lists.values {
            guard let mine = replica.storage.state.contents(of: list.list.name) else { continue }
            for (id, entry) in list.items where entry.item.isLive {
                compare(replica, mine.entries[id], entry.item)
            }
            for (id, entry) in mine.entries {
                let hubs = list.items[id]?.item
                if hubs == nil, !entry.item.shown.isDeleted {
                    world.violate(.converged, "replica \(replica.index) shows \(id), which the hub does not have")
                }
                if let hubs, !hubs.isLive { compare(replica, entry, hubs) }
            }
        }
    }

    private func compare(_ replica: SimulatedReplica, _ mine: MemoryReplicaState.Entry?, _ hubs: Item) {
        guard mine?.item.confirmed != hubs || mine?.item.shown != hubs else { return }
        let text = mine.map { "\($0.item.confirmed?.json.text ?? "nothing"), shown \($0.item.shown.json.text)" }
        world.violate(.converged, "replica \(replica.index) has \(text ?? "nothing") for \(hubs.json.text)")
    }

    private func checkHistory(_ list: MemoryList) {
        let sequences = list.history.map(\.entry.sequence.number)
        if sequences != Array(1...max(1, list.list.head.number)).prefix(sequences.count) + [] {
            world.violate(.gapless, "the history of \(list.list.name) has gaps")
        }
        var latest: [ItemID: Version] = [:]
        for entry in list.history { latest[entry.entry.mutation.item] = entry.entry.sequence }
        for (id, entry) in list.items where latest[id] != entry.item.version {
            world.violate(.gapless, "\(id) has version \(entry.item.version), its latest entry \(latest[id] ?? .none)")
        }
    }
}

/// A new replica at the end: it gets everything, and it costs what lives, not what was.
struct FirstSync {
    let world: World

    func check(_ left: inout Int) {
        let index = world.replicas.count
        var state = MemoryReplicaState(
            record: .init(replica: ReplicaID(random: (1, 2)), name: "new", machine: "new", path: "/store"), lists: [])
        state.storedRecord.membership = .init(address: "http://hub", token: "tdm_r0")
        let replica = SimulatedReplica(world, index: index, tokenIndex: 0, machine: "new", state: state, offset: 0)
        world.network.changesBytes = 0
        world.replicas.append(replica)
        replica.start()
        let end = world.time + 5_000
        while left > 0, world.step(until: end) { left -= 1 }
        var live = 0
        for list in world.hub.storage.state.lists.values {
            for entry in list.items.values where entry.item.isLive {
                live += entry.encoded.json.count + 1 + Self.pageBytes
            }
            live += 2 * Self.pageBytes
        }
        if world.network.changesBytes > live {
            world.violate(.firstSyncIsSmall, "a first sync took \(world.network.changesBytes) bytes for \(live)")
        }
        EndChecks(world: world).checkConvergence(replica)
    }

    /// What a page adds to its items; with the smallest answers each item has a page of its own.
    private static let pageBytes = 300
}
