package import TandemItems

/// The hub's store, as the hub needs it.
///
/// Contract, which `HubStorageTests` holds every implementation to:
/// - Writes are serial and atomic: a body that throws changes nothing, and takes nothing with it that another body
///   wrote. Several bodies may share one commit.
/// - `write` returns, and `committed` is called, only once the change is durable. `committed` runs in commit order,
///   before the next transaction begins, and must be short. If the commit fails every body in it fails.
/// - A read sees one committed state from its start to its end.
/// - A body runs once, off the cooperative threads, and may block; it must not keep the transaction beyond its return.
///   Cancelling the caller neither stops nor undoes it.
/// - Once a call on a transaction has thrown ``HubStorageError`` its body has failed: every later call and the body
///   itself throw the same, even if the body caught it. So a swallowed error can never commit half of a change.
/// - A list that is not there reads as empty, and cannot be written to.
/// - Names and ids are compared bytewise, and come back byte for byte.
package protocol HubStorage: Sendable {
    /// Runs a body in a write transaction. Throws ``HubStorageError``, or what the body throws.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value

    /// Runs a body over one committed state. Throws ``HubStorageError``, or what the body throws.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any HubReading) throws -> Value
    ) async throws -> Value
}

extension HubStorage {
    /// Runs a body in a write transaction that nobody needs to be told of.
    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any HubTransaction) throws -> Value
    ) async throws -> Value {
        try await write(body, committed: { _ in })
    }
}

/// What can be read of the hub's store. Every call blocks until it is answered.
package protocol HubReading {
    /// This life of the hub's history.
    func epoch() throws -> Epoch
    /// Every list, by name.
    func lists() throws -> [HubList]
    /// One list as it stands.
    func list(_ name: ListName) throws -> HubList?
    /// The item at its latest version, deleted ones too.
    func item(_ id: ItemID, in list: ListName) throws -> Item?
    /// Items with `after < version <= through`, in the order of their versions: at most `limit`, and no further once
    /// `maximumBytes` is reached (but always one). Deleted items only if their version is past `tombstonesAfter`, or if
    /// a conflict is open on them.
    /// So the answer is complete where it has fewer than `limit` items and fewer than `maximumBytes` bytes.
    func items(
        in list: ListName, after: Version, through: Version, limit: Int, maximumBytes: Int, tombstonesAfter: Version
    ) throws -> [EncodedItem]
    /// Calls `body` with each item that is not deleted or has an open conflict, in bytewise order of the ids. What
    /// `body` throws ends it and is thrown.
    func eachLiveItem(in list: ListName, _ body: (EncodedItem) throws -> Void) throws
    /// The prefix digest at a sequence, at 0 the one that the list was added with; `nil` where the list's history has
    /// no such place.
    func digest(in list: ListName, at sequence: Version) throws -> String?
    /// What was answered to a replica's number in a list.
    func ledgerEntry(in list: ListName, replica: ReplicaID, n: Int64) throws -> LedgerEntry?
    /// The mutations of an item, oldest first.
    func history(of item: ItemID, in list: ListName) throws -> [HistoryEntry]
    /// Every token, revoked ones too, by name.
    func tokens() throws -> [TokenRecord]
    /// The token with this hash of its secret, revoked ones too.
    func token(hash: [UInt8]) throws -> TokenRecord?
    /// Names that replicas gave themselves, for people.
    func replicaNames() throws -> [ReplicaID: String]
}

/// What can be written inside a transaction of the hub's store. What was written can be read at once.
package protocol HubTransaction: HubReading {
    /// Adds an empty list, at sequence 0. The name must be free.
    func add(_ list: HubList) throws
    /// Removes a list with its items, history and ledger. The list must be there. Tokens go on naming it, and replicas
    /// keep their names.
    func removeList(_ name: ListName) throws
    /// Stores an item at its new version in place of any earlier one. The version is the sequence of the item's latest
    /// entry in history, appended in the same body, before or after; a body that leaves the two apart fails.
    func put(_ item: Item, in list: ListName) throws
    /// Adds an entry to the list's history, records its mutation's outcome in the ledger, and moves the list's head
    /// and digest to it. The entry's sequence is the head's next, and its replica's number has no ledger entry yet.
    func append(_ entry: HistoryEntry, digest: String, in list: ListName) throws
    /// Records a refusal in the ledger. The replica's number has no entry yet.
    func record(_ refusal: Refusal, of mutation: Mutation, in list: ListName) throws
    /// Adds a token, or stores it anew under its name. No other token has its hash.
    func put(_ token: TokenRecord) throws
    /// Sets what a replica calls itself, in place of any earlier name.
    func setName(_ name: String, of replica: ReplicaID) throws
}

/// Why the store could not do what was asked. Nothing of it has happened.
package struct HubStorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// No room: nothing is lost, and the same call works once there is room.
        case full
        case readOnly
        /// The file is damaged, or is no store of a hub.
        case corrupt
        /// Written by a newer version of this program.
        case tooNew
        /// Another process holds the store.
        case inUse
        case failed
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
