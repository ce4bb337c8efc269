/// The members of a JSON object in the order they were written. Keys are compared bytewise and stand once each.
public struct JSONObject: Sendable {
    /// The members, in order.
    public private(set) var members: [(key: String, value: JSON)]

    /// An object without members.
    public init() { members = [] }

    /// An object of members; of two with one key the later stays.
    public init(_ members: [(String, JSON)]) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// Takes members whose keys the parser has found to be distinct.
    init(distinct members: [(key: String, value: JSON)]) { self.members = members }

    /// A member's value. Setting keeps the member's place or adds it at the end; `nil` removes it.
    public subscript(key: String) -> JSON? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The members whose keys are not among those given: what a newer version may have added.
    public func without(_ keys: Set<String>) -> JSONObject {
        guard members.contains(where: { !keys.contains($0.key) }) else { return JSONObject() }
        return JSONObject(distinct: members.filter { !keys.contains($0.key) })
    }

    /// Adds members that are not there yet.
    mutating func append(contentsOf other: JSONObject) {
        for (key, value) in other.members where self[key] == nil { self[key] = value }
    }

    /// The members sorted by their keys' bytes.
    var sorted: [(key: String, value: JSON)] {
        members.sorted { $0.key.precedesBytewise($1.key) }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.hasBytes(of: key) }
    }
}

extension JSONObject: Hashable {
    /// The same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        return zip(left.sorted, right.sorted).allSatisfy { a, b in
            a.key.hasBytes(of: b.key) && a.value == b.value
        }
    }

    /// Feeds the canonical form.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(JSON.object(self).encoded(canonical: true))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of members; of two with one key the later stays.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
