/// The members of a JSON object in the order they were written. Keys are compared bytewise and stand once each.
public struct JSONObject: Sendable {
    /// The members, in order.
    public private(set) var members: [(key: String, value: JSON)]

    /// An object without members.
    public init() { members = [] }

    /// An object of members; of two with one key the later stays.
    public init(_ members: [(String, JSON)]) {
        self.init()
        append(members.map { (key: $0.0, value: $0.1) }) { $0 = $1 }
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
        append(other.members) { _, _ in }
    }

    /// Adds members one by one; what becomes of a value whose key is there already is the caller's. Looks keys up in
    /// an index where there are many: objects from outside can be large.
    private mutating func append(
        _ new: [(key: String, value: JSON)], collision: (_ old: inout JSON, _ new: JSON) -> Void
    ) {
        guard members.count + new.count > Self.scanned else {
            for (key, value) in new {
                guard let place = index(of: key) else { members.append((key: key, value: value)); continue }
                collision(&members[place].value, value)
            }
            return
        }
        var places: [[UInt8]: Int] = [:]
        for (place, member) in members.enumerated() { places[Array(member.key.utf8)] = place }
        for (key, value) in new {
            let place = places[Array(key.utf8)]
            guard let place else {
                places[Array(key.utf8)] = members.count
                members.append((key: key, value: value))
                continue
            }
            collision(&members[place].value, value)
        }
    }

    /// Up to so many members a key is looked for one by one.
    private static let scanned = 32

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
