/// What the hub made of a push.
package struct PushAnswer: Hashable, Sendable {
    /// One for each mutation, in the order they were sent; fewer where the answer would grow too large. Mutations
    /// without an outcome have not been touched.
    package var outcomes: [Outcome]
    /// The items that the accepted mutations changed, as they are now, each once. They never move a cursor.
    package var items: [Item]
    /// The end of the list's history that the items come from. Who later pushes on their versions proves by it that the
    /// hub still has that history.
    package var seen: Cursor?

    package init(outcomes: [Outcome], items: [Item], seen: Cursor? = nil) {
        self.outcomes = outcomes
        self.items = items
        self.seen = seen
    }
}

/// Items that changed past a cursor, each once and at its latest version, in the order of their versions.
package struct ChangesPage: Hashable, Sendable {
    package var items: [Item]
    /// Where the next page starts: every change up to here is in `items` or was there before.
    package var cursor: Cursor
    /// The list's latest sequence when the hub began to answer; the list is complete once the cursor reaches it.
    package var head: Version

    package init(items: [Item], cursor: Cursor, head: Version) {
        self.items = items
        self.cursor = cursor
        self.head = head
    }
}

/// What a hub tells between requests. The data itself always comes from the changes.
package enum HubEvent: Hashable, Sendable {
    /// A list has reached this sequence.
    case head(ListName, Version)
    /// The connection is alive.
    case heartbeat
}
