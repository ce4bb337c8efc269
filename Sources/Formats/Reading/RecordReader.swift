/// Splits a file into records as its bytes come: a JSON array of objects, objects one a line, or objects one after
/// another with or without commas. What Taskwarrior exports is one of these with every setting that it has.
///
/// Give it bytes with ``append(_:)``, take records with ``next()`` until it returns `nil`, and so on; call ``finish()``
/// behind the last byte and take the rest. It holds one record at a time, never the file.
///
/// **What is not JSON** costs no more than it must. A record whose brackets and quotes are sound (a bad escape, a key
/// that stands twice, a lone surrogate, bytes that are not UTF-8) ends where they say. Otherwise reading goes on at the
/// next line that starts an object and is indented no deeper than the line of the faulty one, even where the fault was
/// noticed further on. So in a file with an object a line no other line is lost. A file that is no JSON at all is one
/// error.
package struct RecordReader: Sendable {
    enum State {
        /// Before the first byte.
        case start
        /// Between records, in an array or not.
        case between
        /// Within `open`.
        case inside
        /// Behind a faulty record whose end was found, its neighbour not seen yet: `failure` is to be reported.
        case settling
        /// Behind a fault, on the way to a line that starts an object: `failure` is to be reported.
        case skipping
        /// Too many errors: that is to be reported.
        case stopping
        /// Nothing more is read.
        case done
    }

    /// The record that is being read.
    struct Opened {
        var start: Place
        var extent: ValueExtent
        /// The first line within that may be the next record, should this one turn out to be faulty.
        var candidate: Place?
        /// Whether it is longer than the bound, so that its bytes are not kept.
        var isOversized = false
    }

    /// A fault that has not been reported yet.
    struct Failure {
        var start: Place
        var isObject: Bool
        var error: RecordError
        /// Whether other objects may have been passed over with it.
        var hidesObjects = false
    }

    /// Most errors before the first record; behind them a file is taken for something else.
    static let errorsBeforeFirstRecord = 20

    let maximumRecordBytes: Int
    let maximumErrors: Int
    var window = ByteWindow()
    var state = State.start
    var open = Opened(start: Place(), extent: ValueExtent(first: 0))
    var failure: Failure?
    var isInArray = false
    var isBlank = true
    /// Whether the end of the file was reached within a record or behind a fault.
    var isCutOff = false
    private var records = 0
    private(set) var errors = 0

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - maximumRecordBytes: a longer record is an error of its own, and is not kept in memory.
    ///   - maximumErrors: behind so many, reading stops and says so.
    package init(maximumRecordBytes: Int = 4 << 20, maximumErrors: Int = 1_000) {
        precondition(maximumRecordBytes > 0 && maximumErrors > 0, "bounds are positive")
        self.maximumRecordBytes = maximumRecordBytes
        self.maximumErrors = maximumErrors
    }

    /// Whether nothing more will come, whatever is appended.
    package var isDone: Bool { if case .done = state { true } else { false } }

    /// Takes the next bytes of the file.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        precondition(!window.isComplete, "no bytes come behind the end")
        if !isDone { window.append(bytes) }
    }

    /// Says that the last byte has been appended.
    package mutating func finish() { window.isComplete = true }

    /// The next record or fault, in the order of the file; `nil` when more bytes must come, or when ``isDone``.
    package mutating func next() -> Record? {
        while !isDone {
            switch step() {
            case .report(let record): return counted(record)
            case .goOn: continue
            case .wait: return nil
            }
        }
        return nil
    }

    /// The records and faults of a file that is in memory.
    package static func records(
        in bytes: some Collection<UInt8>, maximumRecordBytes: Int = 4 << 20, maximumErrors: Int = 1_000
    ) -> [Record] {
        var reader = RecordReader(maximumRecordBytes: maximumRecordBytes, maximumErrors: maximumErrors)
        reader.append(bytes)
        reader.finish()
        var records: [Record] = []
        while let record = reader.next() { records.append(record) }
        return records
    }

    var hasRecords: Bool { records > 0 }

    private mutating func counted(_ record: Record) -> Record {
        guard case .failure = record.result else {
            records += 1
            return record
        }
        errors += 1
        let isTooMany = errors >= maximumErrors || records == 0 && errors >= Self.errorsBeforeFirstRecord
        if isTooMany, !isDone { state = .stopping }
        return record
    }
}
