/// A place in a list's history: the hub's sequence, one per accepted mutation. An item's version is the sequence of
/// its last change.
public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The sequence number; 0 before the first.
    public let number: Int64

    /// Makes a version of a sequence number.
    public init(_ number: Int64) { self.number = number }

    /// Never accepted by a hub.
    public static let none = Version(0)
    /// The last sequence that a list can have, as far as a double counts exactly. No end takes a later one from outside:
    /// versions are counted on and subtracted.
    public static let last = Version(1 << 53)
    /// Later than any accepted one: what a pending mutation's fields have while the shown view is made.
    static let pending = Version(.max)

    /// The sequence that comes next; that of a list at its end is none that another end takes.
    public var next: Version { Version(min(number, Self.last.number) + 1) }

    /// History order.
    public static func < (left: Version, right: Version) -> Bool { left.number < right.number }

    /// The number.
    public var description: String { String(number) }
}

/// Hub time in milliseconds since 1970-01-01T00:00:00Z, as the author's replica estimated it. It never decides whether
/// there is a conflict, only which value is shown first.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Makes a timestamp.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Time order.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The milliseconds.
    public var description: String { String(milliseconds) }
}
