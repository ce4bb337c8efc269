/// Values by field name, sorted by the names' bytes: small, ordered, and the same on every machine.
public struct FieldMap<Value> {
    /// The entries in bytewise order of their names.
    public private(set) var entries: [(name: FieldName, value: Value)] = []

    /// An empty map.
    public init() {}

    /// The value of a field; `nil` removes the entry.
    public subscript(name: FieldName) -> Value? {
        get {
            let index = position(of: name)
            return isHit(index, name) ? entries[index].value : nil
        }
        set {
            let index = position(of: name)
            switch (isHit(index, name), newValue) {
            case (true, let value?): entries[index].value = value
            case (true, nil): entries.remove(at: index)
            case (false, let value?): entries.insert((name: name, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// How many entries there are.
    public var count: Int { entries.count }

    /// The field names in bytewise order.
    public var names: [FieldName] { entries.map(\.name) }

    private func isHit(_ index: Int, _ name: FieldName) -> Bool {
        index < entries.count && entries[index].name == name
    }

    private func position(of name: FieldName) -> Int {
        if let last = entries.last, last.name < name { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension FieldMap: Sendable where Value: Sendable {}

extension FieldMap: Equatable where Value: Equatable {
    /// The same names with the same values.
    public static func == (left: FieldMap, right: FieldMap) -> Bool {
        left.entries.elementsEqual(right.entries) { $0.name == $1.name && $0.value == $1.value }
    }
}

extension FieldMap: Hashable where Value: Hashable {
    /// Feeds names and values in order.
    public func hash(into hasher: inout Hasher) {
        for (name, value) in entries {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
    /// Of two values for one name the later stays.
    public init(dictionaryLiteral elements: (FieldName, Value)...) {
        for (name, value) in elements { self[name] = value }
    }
}
