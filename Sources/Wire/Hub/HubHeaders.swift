/// Header fields that a replica sends to the hub.
package enum HubHeader {
    /// The protocol version that the replica speaks; absent means 1.
    package static let protocolVersion = "Tandem-Protocol"
    package static let replica = "Tandem-Replica"
    /// The replica's name for people, percent-encoded.
    package static let replicaName = "Tandem-Replica-Name"
}
