/// Values by field name, sorted by the names' bytes: small, ordered, and the same on every machine.
///
/// Inlinable, so that other modules get code for their own kind of value.
public struct FieldMap<Value> {
    @usableFromInline
    var storage: [(name: FieldName, value: Value)]

    /// An empty map.
    @inlinable
    public init() { storage = [] }

    /// The entries in bytewise order of their names.
    @inlinable
    public var entries: [(name: FieldName, value: Value)] { storage }

    /// The value of a field; `nil` removes the entry.
    @inlinable
    public subscript(name: FieldName) -> Value? {
        get {
            let index = position(of: name)
            return isHit(index, name) ? storage[index].value : nil
        }
        set {
            let index = position(of: name)
            switch (isHit(index, name), newValue) {
            case (true, let value?): storage[index].value = value
            case (true, nil): storage.remove(at: index)
            case (false, let value?): storage.insert((name: name, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    /// Whether there are no entries.
    @inlinable
    public var isEmpty: Bool { storage.isEmpty }

    /// How many entries there are.
    @inlinable
    public var count: Int { storage.count }

    /// The field names in bytewise order.
    @inlinable
    public var names: [FieldName] { storage.map(\.name) }

    @inlinable
    func isHit(_ index: Int, _ name: FieldName) -> Bool {
        index < storage.count && storage[index].name == name
    }

    @inlinable
    func position(of name: FieldName) -> Int {
        if let last = storage.last, last.name < name { return storage.count }
        var low = 0
        var high = storage.count
        while low < high {
            let middle = (low + high) / 2
            if storage[middle].name < name { low = middle + 1 } else { high = middle }
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
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
