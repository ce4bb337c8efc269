package import TandemItems

/// Names written down in a test are known to be good; a bad one is the test's own mistake.
private func known<Name>(_ text: String, _ make: (String) throws(InvalidItem) -> Name) -> Name {
    do { return try make(text) } catch { preconditionFailure("\(text.debugDescription): \(error)") }
}

extension ItemID: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = known(text) { text throws(InvalidItem) in try ItemID(text) } }
}

extension FieldName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = known(text) { text throws(InvalidItem) in try FieldName(text) } }
}

extension ReplicaID: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = known(text) { text throws(InvalidItem) in try ReplicaID(text) } }
}

extension Nonce: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = known(text) { text throws(InvalidItem) in try Nonce(text) } }
}

extension Version: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int64) { self.init(number) }
}

extension Timestamp: ExpressibleByIntegerLiteral {
    package init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
