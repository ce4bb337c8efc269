import Hub
import TandemItems

/// Sees in one body that history and items stay in step: an item's version is the sequence of its latest entry.
///
/// Only what is out of step is remembered; all else is in the store. Most bodies put an item and append its entry one
/// after the other, so that the one place is all that is ever looked at.
struct ItemChanges {
    /// An item's place in the store.
    struct Place: Hashable {
        var list: ListName
        var id: ItemID
    }

    private struct Change {
        var put: Version?
        var appended: Version?
        /// The item's latest entry before these.
        var earlier: Version

        var isInStep: Bool { put == appended }
    }

    private var recent: (place: Place, change: Change)?
    private var others: [Place: Change] = [:]

    /// The item was stored at a version.
    ///
    /// - Parameter earlier: the version that it had in the store.
    mutating func put(_ version: Version, at place: Place, over earlier: Version) {
        var change = take(place) ?? Change(earlier: earlier)
        change.put = version
        keep(change, at: place)
    }

    /// History has a new entry of the item. Returns the sequence of the item's entry before it.
    ///
    /// - Parameter stored: asks the store for the item's version.
    mutating func append(
        _ sequence: Version, at place: Place, stored: () throws -> Version
    ) rethrows -> Version {
        var change = try take(place) ?? Change(earlier: try stored())
        let previous = change.appended ?? change.earlier
        change.appended = sequence
        keep(change, at: place)
        return previous
    }

    /// The list is gone with all that was in it.
    mutating func remove(_ list: ListName) {
        others = others.filter { $0.key.list != list }
        if recent?.place.list == list { recent = nil }
    }

    /// Throws where an item was put at another version than that of its latest entry, or one came without the other.
    func check() throws(HubStorageError) {
        guard let place = recent?.place ?? others.first?.key else { return }
        throw HubStorageError(.failed, "item '\(place.id)' was not put at the version of its latest change")
    }

    private mutating func take(_ place: Place) -> Change? {
        if let (known, change) = recent, known == place {
            recent = nil
            return change
        }
        return others.isEmpty ? nil : others.removeValue(forKey: place)
    }

    private mutating func keep(_ change: Change, at place: Place) {
        if change.isInStep { return }
        if let recent { others[recent.place] = recent.change }
        recent = (place, change)
    }
}
