/// Names that mean one thing in Tandem and another in a file. Such a name crosses with a prefix and loses it on the way
/// back; so does one that already has the prefix, so that no two names become one.
struct NameEscape {
    let prefix: String
    let taken: [String]
    /// Names that begin so are taken too.
    var takenStart: String?

    /// The name on the other side.
    func escaped(_ name: String) -> String { isTaken(name) ? prefix + name : name }

    /// What ``escaped(_:)`` was made of; `nil` where the name is no escaped one.
    func unescaped(_ name: String) -> String? {
        guard let rest = name.dropping(prefix), isTaken(rest) else { return nil }
        return rest
    }

    private func isTaken(_ name: String) -> Bool {
        var bare = name
        while let rest = bare.dropping(prefix) { bare = rest }
        // The names are ASCII: no other text is canonically equivalent to one, so that `==` compares bytes.
        return taken.contains(bare) || takenStart.map { bare.utf8.starts(with: $0.utf8) } ?? false
    }
}

extension String {
    /// What stands behind a prefix, both compared bytewise; `nil` where the text begins otherwise.
    func dropping(_ prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}
