/// How far a replica has pulled a list: the hub's epoch, the sequence, and the digest of all history up to it.
///
/// The hub compares all three, so that a cursor from another life of the hub, or from a history that a restored copy
/// no longer has, is found out even when the sequence has been reached again. To a replica a cursor is opaque.
package struct Cursor: Hashable, Sendable, CustomStringConvertible {
    package let epoch: Epoch
    package let sequence: Version
    /// The prefix digest at the sequence, in hexadecimal.
    package let digest: String
    /// During a first sync, the head when it began: items that were deleted up to there are left out. A cursor that
    /// has reached it no longer carries it.
    package let firstHead: Version?

    package init(epoch: Epoch, sequence: Version, digest: String, firstHead: Version? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.digest = digest
        self.firstHead = firstHead.flatMap { $0 > sequence ? $0 : nil }
    }

    /// Reads `epoch.sequence.digest`, with the first head behind it during a first sync; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (3...4).contains(parts.count), let number = Self.number(parts[1]),
            parts.allSatisfy({ (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
        else { return nil }
        var firstHead: Version?
        if parts.count == 4 {
            guard let head = Self.number(parts[3]), head > number else { return nil }
            firstHead = Version(head)
        }
        self.init(epoch: Epoch(parts[0]), sequence: Version(number), digest: parts[2], firstHead: firstHead)
    }

    private static func number(_ text: String) -> Int64? {
        Int64(text).flatMap { (0...Version.last.number).contains($0) ? $0 : nil }
    }

    /// The text that ``init(_:)`` reads.
    package var description: String {
        "\(epoch).\(sequence).\(digest)" + (firstHead.map { ".\($0)" } ?? "")
    }
}
