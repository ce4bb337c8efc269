/// HTTP header fields in the order they came; names are compared without case (RFC 9110, section 5.1).
package struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The first value of a field; setting replaces every value of it, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append((name: name, value: newValue)) }
        }
    }

    /// Adds a field and keeps what is there.
    package mutating func append(name: String, value: String) {
        fields.append((name: name, value: value))
    }
}
