/// What a hub says of itself to a token.
package struct Hello: Hashable, Sendable {
    /// The protocol version that this code speaks.
    package static let protocolVersion = 1

    /// The hub's name, for people.
    package var name: String
    package var epoch: Epoch
    /// The protocol versions that the hub understands.
    package var protocols: ClosedRange<Int>
    package var limits: Limits
    /// The lists that the token may see.
    package var grants: [Grant]
    /// Hub time when it answered.
    package var time: Timestamp
    /// Names of the replicas that have pushed to the hub, for people.
    package var writers: [ReplicaID: String]

    package init(
        name: String, epoch: Epoch, protocols: ClosedRange<Int>, limits: Limits, grants: [Grant], time: Timestamp,
        writers: [ReplicaID: String]
    ) {
        self.name = name
        self.epoch = epoch
        self.protocols = protocols
        self.limits = limits
        self.grants = grants
        self.time = time
        self.writers = writers
    }
}
