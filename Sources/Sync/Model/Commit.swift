package import TandemItems

/// What one committed transaction changed in a list, as it is shown.
package struct Commit: Hashable, Sendable {
    /// Where the change came from.
    package enum Source: String, Sendable {
        /// An edit on this replica.
        case local
        /// The hub.
        case remote
    }

    /// The store's stamp after the commit: the place to resume from.
    package var stamp: Int64
    package var list: ListName
    package var source: Source
    package var changes: [ItemChange]

    package init(stamp: Int64, list: ListName, source: Source, changes: [ItemChange]) {
        self.stamp = stamp
        self.list = list
        self.source = source
        self.changes = changes
    }
}

/// How one item's shown state changed.
package struct ItemChange: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// It is shown now and was not before.
        case inserted
        /// Values or conflicts changed; where `fields` holds `order`, it moved.
        case updated
        /// It was shown and is deleted now.
        case removed
        /// The same values: only where they stand changed, from pending to accepted.
        case confirmed
    }

    package var kind: Kind
    /// The item as it is shown now.
    package var item: Item
    /// The fields whose shown values changed.
    package var fields: [FieldName]

    package init(kind: Kind, item: Item, fields: [FieldName]) {
        self.kind = kind
        self.item = item
        self.fields = fields
    }

    /// Compares an item's shown states; `nil` where it is shown in neither.
    package init?(from before: Item?, to after: Item) {
        let wasShown = before.map { !$0.isDeleted } ?? false
        guard wasShown || !after.isDeleted else { return nil }
        let names = Set((before?.fields.names ?? []) + after.fields.names)
        let changed = names.filter { before?[$0] ?? .null != after[$0] }.sorted()
        let kind: Kind =
            switch (wasShown, after.isDeleted) {
            case (false, _): .inserted
            case (true, true): .removed
            case (true, false):
                changed.isEmpty && before?.conflicts == after.conflicts ? .confirmed : .updated
            }
        self.init(kind: kind, item: after, fields: changed)
    }
}
