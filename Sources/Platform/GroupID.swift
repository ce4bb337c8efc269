import Glibc

/// Groups of this machine's users.
package enum GroupID {
    /// The id of a group by its name (getgrnam_r(3)); `nil` where there is none. Blocks while the name is looked up.
    package static func of(_ name: String) -> UInt32? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }
}
