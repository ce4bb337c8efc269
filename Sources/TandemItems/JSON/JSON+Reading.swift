/// Readers that say what is wrong with a message's shape.
extension JSON {
    /// The members of an object; `what` names the value in the error.
    package func members(_ what: String) throws(InvalidItem) -> JSONObject {
        guard let object else { throw InvalidItem(.shape, "\(what) is not a JSON object") }
        return object
    }

    /// The members of an object that stand for fields: at most so many as any item may have. They are sorted as they
    /// come, which takes time with the square of their number.
    func fieldMembers(_ what: String) throws(InvalidItem) -> [(key: String, value: JSON)] {
        let members = try members(what).members
        guard members.count <= Limits.Bounds.fields.upperBound + 2 else {
            throw InvalidItem(.tooManyFields, "\(what) has more than \(Limits.Bounds.fields.upperBound) fields")
        }
        return members
    }

    func names() throws(InvalidItem) -> [String] {
        guard let array else { throw InvalidItem(.shape, "not an array of names") }
        var names: [String] = []
        for element in array {
            guard let name = element.string else { throw InvalidItem(.shape, "not an array of names") }
            names.append(name)
        }
        return names
    }
}

extension JSONObject {
    /// A member that is a text.
    package func text(_ key: String) throws(InvalidItem) -> String {
        guard let text = self[key]?.string else { throw InvalidItem(.shape, "'\(key)' is missing or is no text") }
        return text
    }

    /// A member that is a 64-bit integer.
    package func integer(_ key: String) throws(InvalidItem) -> Int64 {
        guard let number = self[key]?.int else { throw InvalidItem(.shape, "'\(key)' is missing or is no integer") }
        return number
    }

    /// A member that is a place in a list's history, or 0.
    package func version(_ key: String) throws(InvalidItem) -> Version {
        let version = Version(try integer(key))
        guard version >= .none, version <= .last else {
            throw InvalidItem(.shape, "'\(key)' is no sequence: 0 to \(Version.last)")
        }
        return version
    }

    /// A member that is an array; empty where it is missing.
    package func elements(_ key: String) throws(InvalidItem) -> [JSON] {
        guard let value = self[key] else { return [] }
        guard let array = value.array else { throw InvalidItem(.shape, "'\(key)' is no array") }
        return array
    }
}
