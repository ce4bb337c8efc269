import TandemItems

/// The form in which an item is stored: a JSON array without the member names and the id, which its row has already.
///
/// `[version, {name: value}, [[version, replica, n, at]]]`, and behind the origins, where there are any, the
/// conflicts as on the wire and the unknown members. An origin that is blended has the blend as its fifth element;
/// where an item has several origins, the last element of each is the array of its fields' places. Against the form
/// on the wire that is 110 bytes an item less, which is what keeps 100 000 small items below 35 MB.
///
/// A member more in ``Item`` or ``Origin`` has to be stored here; `ItemCodingStorageTests` counts them.
enum ItemCoding {
    static func encode(_ item: Item) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(UInt8(ascii: "["))
        bytes.append(integer: item.version.number)
        bytes.append(UInt8(ascii: ","))
        let fields = item.fields.entries
        encode(fields, into: &bytes)
        bytes.append(UInt8(ascii: ","))
        encodeOrigins(of: fields, into: &bytes)
        if !item.conflicts.isEmpty || !item.unknown.isEmpty {
            bytes.append(UInt8(ascii: ","))
            JSON.array(item.conflicts.map(\.json)).encode(into: &bytes)
            bytes.append(UInt8(ascii: ","))
            JSON.object(item.unknown).encode(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    // By index and without copies of the entries: a first sync comes here for every field of every item.
    private static func encode(_ fields: [(name: FieldName, value: Field)], into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for place in fields.indices {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            fields[place].name.text.encodeJSON(into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            fields[place].value.value.encode(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func encodeOrigins(of fields: [(name: FieldName, value: Field)], into bytes: inout [UInt8]) {
        var groups: [(origin: Origin, places: [Int])] = []
        for place in fields.indices {
            if let index = groups.firstIndex(where: { $0.origin == fields[place].value.origin }) {
                groups[index].places.append(place)
            } else {
                groups.append((origin: fields[place].value.origin, places: [place]))
            }
        }
        bytes.append(UInt8(ascii: "["))
        for (index, group) in groups.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            encode(group.origin, of: groups.count > 1 ? group.places : nil, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func encode(_ origin: Origin, of places: [Int]?, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        bytes.append(integer: origin.version.number)
        bytes.append(UInt8(ascii: ","))
        origin.replica.text.encodeJSON(into: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes.append(integer: origin.n)
        bytes.append(UInt8(ascii: ","))
        bytes.append(integer: origin.at.milliseconds)
        if origin.isBlended {
            bytes.append(UInt8(ascii: ","))
            bytes.append(integer: origin.blend.number)
        }
        if let places {
            bytes.append(UInt8(ascii: ","))
            JSON.array(places.map { .int(Int64($0)) }).encode(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Throws `JSONError` or `InvalidItem` for bytes that ``encode(_:)`` has not made.
    static func decode(_ bytes: [UInt8], id: ItemID) throws -> Item {
        guard let parts = try JSON(parsing: bytes).array, parts.count == 3 || parts.count == 5,
            let version = parts[0].int, let fields = parts[1].object, let origins = parts[2].array
        else { throw damaged }
        var item = Item(id: id)
        item.version = Version(version)
        item.fields = try decode(fields.members, origins)
        if parts.count == 5 {
            guard let conflicts = parts[3].array, let unknown = parts[4].object else { throw damaged }
            item.conflicts = try conflicts.map { try Conflict(json: $0) }
            item.unknown = unknown
        }
        return item
    }

    private static func decode(
        _ members: [(key: String, value: JSON)], _ groups: [JSON]
    ) throws(InvalidItem) -> FieldMap<Field> {
        var fields = FieldMap<Field>()
        for group in groups {
            let (origin, places) = try decodeOrigin(group)
            for place in places ?? Array(members.indices) {
                guard members.indices.contains(place) else { throw damaged }
                fields[try FieldName(members[place].key)] = Field(members[place].value, origin)
            }
        }
        guard fields.count == members.count else { throw damaged }
        return fields
    }

    private static func decodeOrigin(_ json: JSON) throws(InvalidItem) -> (origin: Origin, places: [Int]?) {
        guard let parts = json.array, (4...6).contains(parts.count), let version = parts[0].int,
            let replica = parts[1].string, let n = parts[2].int, let at = parts[3].int
        else { throw damaged }
        let origin = Origin(
            version: Version(version), replica: try ReplicaID(replica), n: n, at: Timestamp(milliseconds: at),
            blend: Version(parts.dropFirst(4).first?.int ?? 0))
        return (origin, parts.dropFirst(4).last?.array?.compactMap { $0.int.map { Int(clamping: $0) } })
    }

    private static let damaged = InvalidItem(.shape, "not the stored form of an item")
}

extension [UInt8] {
    fileprivate mutating func append(integer: Int64) {
        append(contentsOf: String(integer).utf8)
    }
}
