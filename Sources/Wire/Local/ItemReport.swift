public import TandemItems

/// An item with all that is known of it on this machine, as `tandem inspect` shows it.
public struct ItemReport: Hashable, Sendable {
    /// A refused edit.
    public struct Quarantined: Hashable, Sendable {
        /// Names the entry; may be cut to a unique prefix.
        public var id: String
        /// The list of the item.
        public var list: ListName
        /// The edit as it was made.
        public var mutation: Mutation
        /// Why the hub has refused it.
        public var refusal: Refusal
        /// When.
        public var since: Timestamp

        /// Makes an entry.
        public init(id: String, list: ListName, mutation: Mutation, refusal: Refusal, since: Timestamp) {
            self.id = id
            self.list = list
            self.mutation = mutation
            self.refusal = refusal
            self.since = since
        }
    }

    /// The list that the item is in.
    public var list: ListName
    /// The role that this machine has on the list; `nil` where the hub does not have the list.
    public var role: String?
    /// The item as it is shown: pending values have version 0.
    public var item: Item
    /// The item as the hub has it; `nil` while no hub has accepted it.
    public var confirmed: Item?
    /// Edits on their way to the hub, in order.
    public var pending: [Mutation]
    /// Edits that the hub has refused.
    public var quarantined: [Quarantined]
    /// Names of the replicas that wrote, for people.
    public var writers: [ReplicaID: String]
    /// This store's replica id.
    public var replica: ReplicaID

    /// Makes a report.
    public init(
        list: ListName, role: String?, item: Item, confirmed: Item?, pending: [Mutation], quarantined: [Quarantined],
        writers: [ReplicaID: String], replica: ReplicaID
    ) {
        self.list = list
        self.role = role
        self.item = item
        self.confirmed = confirmed
        self.pending = pending
        self.quarantined = quarantined
        self.writers = writers
        self.replica = replica
    }
}

extension ItemReport {
    /// The report as the local API and `tandem inspect --json` have it.
    public var json: JSON {
        [
            "list": .string(list.text), "role": role.map { .string($0) } ?? .null, "item": item.json,
            "confirmed": confirmed?.json ?? .null, "pending": .array(pending.map(\.json)),
            "quarantined": .array(quarantined.map(\.json)), "writers": Writers.json(writers),
            "replica": .string(replica.text),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an item report")
        let confirmed = object["confirmed"].flatMap { $0.isNull ? Optional.none : $0 }
        self.init(
            list: try ListName(object.text("list")), role: object["role"]?.string,
            item: try Item(json: object["item"] ?? .null),
            confirmed: try confirmed.map(Item.init(json:)),
            pending: try object.elements("pending").map(Mutation.init(json:)),
            quarantined: try object.elements("quarantined").map(Quarantined.init(json:)),
            writers: try Writers.read(object["writers"] ?? [:]), replica: try ReplicaID(object.text("replica")))
    }
}

extension ItemReport.Quarantined {
    /// The entry as the local API and `tandem quarantine --json` have it.
    public var json: JSON {
        [
            "id": .string(id), "list": .string(list.text), "mutation": mutation.json,
            "code": .string(refusal.code), "message": .string(refusal.message), "since": .int(since.milliseconds),
        ]
    }

    package init(json: JSON) throws(InvalidItem) {
        let object = try json.members("an entry")
        self.init(
            id: try object.text("id"), list: try ListName(object.text("list")),
            mutation: try Mutation(json: object["mutation"] ?? .null),
            refusal: Refusal(code: try object.text("code"), message: try object.text("message")),
            since: Timestamp(milliseconds: try object.integer("since")))
    }
}
