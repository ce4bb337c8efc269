import Hub
import TandemItems

/// What one body did to items, to see that history and items stay in step: an item's version is the sequence of its
/// latest entry in history.
struct ItemChanges {
    /// An item's place in the store.
    struct Place: Hashable {
        var list: ListName
        var id: ItemID
    }

    private struct Change {
        var put: Version?
        /// The latest entry of the item; before the body appended one, the version that it found.
        var latest: Version
        var isAppended = false
    }

    private var changes: [Place: Change] = [:]

    /// The sequence of an item's latest entry, where the body has touched the item.
    func latest(of place: Place) -> Version? { changes[place]?.latest }

    /// The item is stored at a version.
    mutating func put(_ version: Version, at place: Place, over earlier: Version) {
        changes[place, default: Change(latest: earlier)].put = version
    }

    /// History has a new entry of the item.
    mutating func append(_ sequence: Version, at place: Place) {
        changes[place, default: Change(latest: sequence)].latest = sequence
        changes[place]?.isAppended = true
    }

    /// The list is gone with all that was in it.
    mutating func remove(_ list: ListName) {
        changes = changes.filter { $0.key.list != list }
    }

    /// Throws where an item was put at another version than that of its latest entry, or an entry came without its item.
    func check() throws(HubStorageError) {
        for (place, change) in changes where !change.isAppended || change.put != change.latest {
            throw HubStorageError(.failed, "item '\(place.id)' was not put at the version of its latest change")
        }
    }
}
