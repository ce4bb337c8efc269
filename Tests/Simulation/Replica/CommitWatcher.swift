import Hub
import Replica
import Sync
import TandemItems

/// A subscriber that shows the items: what it was told must be committed, in order, and make up what the store shows.
final class CommitWatcher: @unchecked Sendable {
    private unowned let world: World
    private let replica: SimulatedReplica
    private var stamp: Int64
    /// What a program would show that has only read the store once and then followed the commits.
    private var shown: [ListName: [ItemID: Item]] = [:]

    init(_ world: World, _ replica: SimulatedReplica) {
        self.world = world
        self.replica = replica
        stamp = replica.storage.state.stamp
        reload()
    }

    func take(_ news: CommitSubscription.News) {
        if news.fellBehind { reload() }
        for commit in news.commits {
            if commit.stamp <= stamp || commit.stamp > replica.storage.state.stamp {
                world.violate(
                    .notifiedIsCommitted,
                    "replica \(replica.index) told of stamp \(commit.stamp) after \(stamp), at \(replica.storage.state.stamp)"
                )
            }
            stamp = max(stamp, commit.stamp)
            for change in commit.changes {
                shown[commit.list, default: [:]][change.item.id] = change.kind == .removed ? nil : change.item
            }
        }
    }

    private func reload() {
        for list in replica.storage.state.storedLists { shown[list.list.name] = Self.items(of: list) }
    }

    private static func items(of list: MemoryReplicaList) -> [ItemID: Item] {
        list.entries.mapValues(\.item.shown).filter { !$0.value.isDeleted }
    }

    /// Called when nothing is on its way.
    func check() {
        for list in replica.storage.state.storedLists {
            let real = Self.items(of: list)
            let told = shown[list.list.name] ?? [:]
            let wrong = Set(real.keys).union(told.keys).filter { real[$0] != told[$0] }.sorted()
            guard let id = wrong.first else { continue }
            let (one, other) = (told[id].map { $0.json.text } ?? "nothing", real[id].map { $0.json.text } ?? "nothing")
            world.violate(.notifiedIsCommitted, "replica \(replica.index) was told \(one) and shows \(other)")
        }
    }
}
