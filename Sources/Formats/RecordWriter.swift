package import TandemItems

/// Puts records together to a file, piece by piece: a record a line, for Taskwarrior in the brackets of an array, byte
/// for byte as `task export` sets them. The pieces in order are the file.
package struct RecordWriter: Sendable {
    private let format: ItemFormat
    private var isFirst = true

    /// Makes a writer of one file.
    package init(_ format: ItemFormat) { self.format = format }

    /// The next record's bytes, with what must stand before it.
    package mutating func bytes(of record: JSONObject) -> [UInt8] {
        defer { isFirst = false }
        let line = JSON.object(record).encoded()
        return switch format {
        case .taskwarrior: Array((isFirst ? "[\n" : ",\n").utf8) + line
        case .jsonlines: line + [UInt8(ascii: "\n")]
        }
    }

    /// What stands behind the last record. Without it an array is cut off, and readers notice.
    package consuming func end() -> [UInt8] {
        switch format {
        case .taskwarrior: Array((isFirst ? "[\n]\n" : "\n]\n").utf8)
        case .jsonlines: []
        }
    }
}
