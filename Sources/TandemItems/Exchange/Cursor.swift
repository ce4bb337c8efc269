/// How far a replica has pulled a list: the hub's epoch, the sequence, and the digest of all history up to it.
///
/// The hub compares all three, so that a cursor from another life of the hub, or from a history that a restored copy
/// no longer has, is found out even when the sequence has been reached again.
package struct Cursor: Hashable, Sendable, CustomStringConvertible {
    package let epoch: Epoch
    package let sequence: Version
    /// The prefix digest at the sequence, in hexadecimal.
    package let digest: String

    package init(epoch: Epoch, sequence: Version, digest: String) {
        self.epoch = epoch
        self.sequence = sequence
        self.digest = digest
    }

    /// Reads `epoch.sequence.digest`; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let number = Int64(parts[1]), number >= 0, !parts[0].isEmpty,
            parts.allSatisfy({ $0.utf8.count <= 64 && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
        else { return nil }
        self.init(epoch: Epoch(parts[0]), sequence: Version(number), digest: parts[2])
    }

    /// `epoch.sequence.digest`.
    package var description: String { "\(epoch).\(sequence).\(digest)" }
}
