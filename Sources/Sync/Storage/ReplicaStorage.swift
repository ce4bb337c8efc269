package import TandemItems

/// A replica's store, as the core model needs it.
///
/// Contract, which `ReplicaStorageTests` holds every implementation to:
/// - Writes are serial and atomic: a body that throws changes nothing.
/// - `write` returns, and `committed` is called, only once the change is durable. `committed` runs in commit order,
///   before the next transaction begins, and must be short.
/// - A read sees one committed state from its start to its end.
/// - A body runs off the cooperative threads and may block; no transaction is open after it returns, so none is ever
///   open while the network is used.
package protocol ReplicaStorage: Sendable {
    /// Runs a body in a write transaction. Throws ``ReplicaStorageError``, or what the body throws.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value

    /// Runs a body over one committed state. Throws ``ReplicaStorageError``, or what the body throws.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaReading) throws -> Value
    ) async throws -> Value
}

extension ReplicaStorage {
    /// Runs a body in a write transaction that nobody needs to be told of.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any ReplicaTransaction) throws -> Value
    ) async throws -> Value {
        try await write(body, committed: { _ in })
    }
}

/// What can be read of a replica's store. Every call blocks until it is answered. A list that is not there holds
/// nothing.
package protocol ReplicaReading {
    func record() throws -> StoreRecord
    /// Every list, in the order in which they were added: the first is the default list.
    func lists() throws -> [ReplicaList]
    func list(_ name: ListName) throws -> ReplicaList?
    func item(_ id: ItemID, in list: ListName) throws -> StoredItem?
    /// Shown items that are not deleted, in the list's order (key bytewise, then id), behind a place.
    func items(in list: ListName, after place: Place?, limit: Int) throws -> [Item]
    /// The shown item that stands right before a place, `nil` where it is the first.
    func item(before place: Place, in list: ListName) throws -> Item?
    /// Items, shown as deleted or not, whose id starts with these bytes, at most `limit`: list after list in the order
    /// of ``lists()``, by id within each.
    func items(idPrefix: String, limit: Int) throws -> [(list: ListName, item: Item)]
    /// As ``items(idPrefix:limit:)``, of ids that end with these bytes. Looks at every id.
    func items(idSuffix: String, limit: Int) throws -> [(list: ListName, item: Item)]
    /// Shown items with open conflicts, deleted ones too, by id.
    func conflicted(in list: ListName) throws -> [Item]
    /// Items that changed after a local stamp, deleted ones too, each once, in the order of their stamps, and the stamps.
    func changes(after stamp: Int64, limit: Int) throws -> [(stamp: Int64, list: ListName, item: Item)]
    /// The stamp of the latest change of any item; each write of an item has a greater one than the write before.
    func lastStamp() throws -> Int64
    /// Pending mutations in order, from number `from` on: at most `limit`, and together no more than `maximumBytes` in
    /// their JSON form, without what stands between them (but always one).
    func pending(in list: ListName, from n: Int64, limit: Int, maximumBytes: Int) throws -> [Mutation]
    /// The pending mutations of one item, in order.
    func pending(of item: ItemID, in list: ListName) throws -> [Mutation]
    func hasPending(in list: ListName) throws -> Bool
    func quarantined() throws -> [QuarantinedMutation]
    func counts(of list: ListName) throws -> ListCounts
    /// Names of replicas, for people.
    func replicaNames() throws -> [ReplicaID: String]
}

/// What can be written inside a transaction. What was written can be read at once. Items, pending and quarantined
/// mutations of a list that is not there are refused with ``ReplicaStorageError/Code/failed``.
///
/// Once a call has failed in the store itself, the transaction will not be committed, whatever its body makes of it.
package protocol ReplicaTransaction: ReplicaReading {
    func put(_ record: StoreRecord) throws
    /// Adds a list at the end, or stores it anew under its name.
    func put(_ list: ReplicaList) throws
    /// Removes a list with all that it holds.
    func removeList(_ name: ListName) throws
    /// Stores an item under the next local stamp.
    func put(_ item: StoredItem, in list: ListName) throws
    /// Appends a mutation; its number is greater than that of every one before. A number that is there is refused.
    func append(_ mutation: Mutation, in list: ListName) throws
    func removePending(_ n: Int64, in list: ListName) throws
    /// Adds an entry at the end, or stores it anew under its nonce.
    func put(_ quarantined: QuarantinedMutation) throws
    func removeQuarantined(_ id: Nonce) throws
    /// Replaces all names.
    func setNames(_ names: [ReplicaID: String]) throws
}

/// Why the store could not do what was asked. Nothing of it has happened.
package struct ReplicaStorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No room: nothing is lost, and the same call works once there is room.
        case full = "disk-full"
        case readOnly = "store-read-only"
        /// The file is damaged, or is no store of a replica.
        case corrupt = "store-corrupt"
        /// Written by a newer version of this program.
        case tooNew = "store-too-new"
        /// Another process holds the store.
        case inUse = "store-in-use"
        /// The file that is open is no longer the one at the store's path.
        case moved = "store-moved"
        case failed = "store-failed"
    }

    package let code: Code
    /// What the store said.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
