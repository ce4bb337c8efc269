package import TandemItems

/// Which hub a store belongs to, and the token it has there.
package struct Membership: Hashable, Sendable {
    /// The hub's base URL.
    package var address: String
    /// The secret part of the token. It is stored, and told to no local client.
    package var token: String
    /// The hub's name, once it has said it.
    package var hubName: String?

    package init(address: String, token: String, hubName: String? = nil) {
        self.address = address
        self.token = token
        self.hubName = hubName
    }
}

/// What a store knows of itself.
package struct StoreRecord: Hashable, Sendable {
    package var replica: ReplicaID
    /// The name that others see in origins, for people.
    package var name: String
    /// The machine and the path that the store was last opened on: a copy shows itself by another.
    package var machine: String
    package var path: String
    package var membership: Membership?
    /// The hub history that the confirmed items come from; kept after leaving, so that coming back is no new upload.
    package var epoch: Epoch?
    /// Hub time less this machine's time, in milliseconds.
    package var clockOffset: Int64
    /// The limits that the hub announced last.
    package var limits: Limits

    package init(
        replica: ReplicaID, name: String, machine: String = "", path: String = "", membership: Membership? = nil,
        epoch: Epoch? = nil, clockOffset: Int64 = 0, limits: Limits = Limits()
    ) {
        self.replica = replica
        self.name = name
        self.machine = machine
        self.path = path
        self.membership = membership
        self.epoch = epoch
        self.clockOffset = clockOffset
        self.limits = limits
    }
}

/// A list as the replica keeps it.
package struct ReplicaList: Hashable, Sendable {
    package var name: ListName
    package var kind: ListKind
    /// What this replica may do with the list on the hub; `nil` while the hub does not have it or does not show it.
    package var role: Role?
    /// How far the list has been pulled; `nil` before the first page.
    package var cursor: Cursor?
    /// The furthest place of the hub's history that anything here comes from: the cursor, or where the hub stood when
    /// it answered a push. What is pushed names it, so that a hub with another history is found out.
    package var seen: Cursor?
    /// The number of the last mutation that was minted for the list.
    package var lastN: Int64

    package init(
        name: ListName, kind: ListKind, role: Role? = nil, cursor: Cursor? = nil, seen: Cursor? = nil,
        lastN: Int64 = 0
    ) {
        self.name = name
        self.kind = kind
        self.role = role
        self.cursor = cursor
        self.seen = seen
        self.lastN = lastN
    }
}

extension ReplicaList {
    /// Notes a place of the hub's history.
    mutating func note(_ place: Cursor?) {
        guard let place, place.sequence > seen?.sequence ?? .none || place.epoch != seen?.epoch else { return }
        seen = place
    }
}

/// An item in its two states.
package struct StoredItem: Hashable, Sendable {
    /// As the hub has it; `nil` while no hub has accepted it.
    package var confirmed: Item?
    /// With this replica's pending mutations; equal to `confirmed` where there are none.
    package var shown: Item

    package init(confirmed: Item?, shown: Item) {
        self.confirmed = confirmed
        self.shown = shown
    }
}

/// A mutation that the hub refused, kept with the reason until someone retries or discards it.
package struct QuarantinedMutation: Hashable, Sendable {
    /// Names the entry: the mutation's nonce.
    package var id: Nonce { mutation.nonce }
    package var list: ListName
    package var mutation: Mutation
    package var refusal: Refusal
    package var since: Timestamp

    package init(list: ListName, mutation: Mutation, refusal: Refusal, since: Timestamp) {
        self.list = list
        self.mutation = mutation
        self.refusal = refusal
        self.since = since
    }
}

/// A place in a list's order: behind this item.
package struct Place: Hashable, Sendable {
    package var orderKey: String
    package var id: ItemID

    package init(orderKey: String, id: ItemID) {
        self.orderKey = orderKey
        self.id = id
    }

    package init(_ item: Item) { self.init(orderKey: item.orderKey, id: item.id) }
}

/// How much a list holds.
package struct ListCounts: Hashable, Sendable {
    /// Items that are shown and not deleted.
    package var items: Int
    package var pending: Int
    /// Items with an open conflict.
    package var conflicts: Int
    package var quarantined: Int

    package init(items: Int = 0, pending: Int = 0, conflicts: Int = 0, quarantined: Int = 0) {
        self.items = items
        self.pending = pending
        self.conflicts = conflicts
        self.quarantined = quarantined
    }
}
