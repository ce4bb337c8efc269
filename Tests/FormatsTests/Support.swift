import Formats
import TandemItems
import Testing

/// A generator that replays from its seed (SplitMix64).
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// What a reader makes of a file, in short: `1 {"a":1}` for a record on line 1, `line 2: …` for a fault.
func read(_ text: String, maximumRecordBytes: Int = 4 << 20) -> [String] {
    RecordReader.records(in: Array(text.utf8), maximumRecordBytes: maximumRecordBytes).map(\.summary)
}

extension Record {
    var summary: String {
        switch result {
        case .success(let object): "\(line) \(JSON.object(object).text)"
        case .failure(let error): "\(error)"
        }
    }

    // Where only the good records are looked at.
    var object: JSONObject? { try? result.get() }
}

/// The objects of a file that is known to be good.
func objects(in text: String) throws -> [JSONObject] {
    try RecordReader.records(in: Array(text.utf8)).map { try $0.result.get() }
}

extension ItemFormat {
    /// The item that a replica holds after an import of a record.
    func item(of record: JSONObject) throws -> Item {
        let imported = try fields(of: record)
        var item = Item(id: try imported.id ?? ItemID("minted"))
        item.apply(imported.set)
        return item
    }

    /// A record that was imported and exported again.
    func roundTrip(_ record: JSONObject) throws -> JSONObject {
        try #require(self.record(of: try item(of: record)))
    }
}

extension Item {
    mutating func apply(_ set: FieldMap<JSON>) {
        for (name, value) in set.entries { fields[name] = Field(value, .test) }
    }

    mutating func set(_ name: String, _ value: JSON) throws {
        fields[try FieldName(name)] = Field(value, .test)
    }

    /// Field names with their values, as one object.
    var shown: JSONObject { JSONObject(fields.entries.map { ($0.name.text, $0.value.value) }) }
}

extension Origin {
    static let test = Origin(
        version: Version(1), replica: ReplicaID(random: (1, 2)), n: 1, at: Timestamp(milliseconds: 0))
}

/// Arbitrary values and names, the awkward ones often.
struct Arbitrary {
    var generator: Generator

    mutating func text() -> String {
        let pieces = [
            "a", "B", " ", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{0}", "\u{1F}", "é", "e\u{301}", "🎉", "{", "}", "[",
            "]",
            ",", ":", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "},\n{", "id",
        ]
        return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }.joined()
    }

    mutating func value(depth: Int = 0) -> JSON {
        switch Int.random(in: 0...(depth < 3 ? 7 : 5), using: &generator) {
        case 0: .bool(.random(using: &generator))
        case 1: .int(.random(in: .min ... .max, using: &generator))
        case 2: .int(.random(in: -2...2, using: &generator))
        case 3: .double(Double(Int.random(in: -9_999...9_999, using: &generator)) / 64 * 1e10)
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth + 1) })
        default: .object(object(names: { $0.text() }, depth: depth + 1))
        }
    }

    mutating func object(names: (inout Arbitrary) -> String, depth: Int = 0) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &generator) { object[names(&self)] = value(depth: depth) }
        return object
    }
}
