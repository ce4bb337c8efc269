import Formats
import TandemClient

/// Carries the records of a file to the daemon in batches, and counts what becomes of them. Holds one batch, and the ids
/// of the file.
struct ImportPump {
    /// Most records of a batch.
    static let batchRecords = 500
    /// Most bytes of a batch; a single record may have more.
    static let batchBytes = 1 << 20
    /// A longer record is refused here; it is far beyond what an item may have.
    static let recordBytes = 3 << 20

    private struct Batch {
        /// A record a line.
        var bytes: [UInt8] = []
        /// Where each record starts in the file.
        var lines: [Int] = []
        /// How many records went before it.
        var index = 0
    }

    private let connection: DaemonConnection
    private let list: ListName
    private let fileName: String
    private let refuse: (_ line: Int, _ reason: String) -> Void
    private var format: ItemFormat?
    private var reader = RecordReader(maximumRecordBytes: recordBytes)
    private var batch = Batch()
    /// How many records were put into batches. It tells the daemon the order of the file.
    private var index = 0
    private var firstLines: [ItemID: Int] = [:]
    private(set) var summary = ImportSummary()
    /// How many bytes of the file are read into records.
    private(set) var bytesDone = 0
    /// The line behind which nothing has been sent.
    private(set) var lastLine = 0

    /// - Parameters:
    ///   - format: `nil` finds it out of the first record and the file's name.
    ///   - refuse: called with the line of each record that is not imported, and why.
    init(
        _ connection: DaemonConnection, into list: ListName, format: ItemFormat?, fileName: String,
        refuse: @escaping (_ line: Int, _ reason: String) -> Void
    ) {
        self.connection = connection
        self.list = list
        self.format = format
        self.fileName = fileName
        self.refuse = refuse
    }

    /// Takes the next bytes of the file.
    mutating func take(_ bytes: [UInt8]) async throws(DaemonError) {
        reader.append(bytes)
        try await pump()
    }

    /// Takes the end of the file; afterwards the summary is complete.
    mutating func finish() async throws(DaemonError) {
        reader.finish()
        try await pump()
        try await flush()
    }

    private mutating func pump() async throws(DaemonError) {
        while let record = reader.next() {
            bytesDone = record.bytes.upperBound
            switch record.result {
            case .success(let object):
                summary.records += 1
                try await add(object, line: record.line)
            case .failure(let error): reject(line: error.line, error.message)
            }
        }
    }

    private mutating func add(_ object: JSONObject, line: Int) async throws(DaemonError) {
        let format = self.format ?? ItemFormat.detected(from: object, fileName: fileName)
        self.format = format
        let id: ItemID?
        do throws(InvalidItem) {
            id = try format.fields(of: object).id
        } catch {
            return reject(line: line, error.message)
        }
        if let id {
            if let first = firstLines[id] { return reject(line: line, "its id stands on line \(first) already: \(id)") }
            firstLines[id] = line
        }
        try await append(JSON.object(object).encoded(), line: line)
    }

    private mutating func append(_ record: [UInt8], line: Int) async throws(DaemonError) {
        let isFull = batch.lines.count == Self.batchRecords || batch.bytes.count + record.count >= Self.batchBytes
        if isFull { try await flush() }
        if batch.lines.isEmpty { batch.index = index }
        batch.bytes += record
        batch.bytes.append(UInt8(ascii: "\n"))
        batch.lines.append(line)
        index += 1
    }

    private mutating func reject(line: Int, _ reason: String) {
        summary.refused += 1
        refuse(line, reason)
    }

    private mutating func flush() async throws(DaemonError) {
        guard !batch.lines.isEmpty, let format else { return }
        let results = try await connection.importRecords(
            batch.bytes, format: format.rawValue, index: batch.index, into: list)
        for (line, result) in zip(batch.lines, results) {
            switch result {
            case .success(let record): summary.count(record.effect)
            case .failure(let error): reject(line: line, error.message)
            }
        }
        lastLine = batch.lines.last ?? lastLine
        batch = Batch()
    }
}

/// What became of the records of a file.
struct ImportSummary: Equatable {
    /// Records that could be read.
    var records = 0
    var created = 0
    var changed = 0
    var unchanged = 0
    var refused = 0

    var imported: Int { created + changed + unchanged }

    mutating func count(_ effect: String) {
        switch effect {
        case "created": created += 1
        case "changed": changed += 1
        default: unchanged += 1
        }
    }

    /// `imported 8: 7 new, 1 changed, 0 unchanged; 1 refused`
    var text: String {
        let text = "imported \(imported): \(created) new, \(changed) changed, \(unchanged) unchanged"
        return refused > 0 ? text + "; \(refused) refused" : text
    }
}
