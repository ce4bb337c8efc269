import Formats
import TandemItems
import TestSupport
import Testing

/// Files that are damaged at random. Every test prints its seed.
@Suite("RecordReader, random")
struct RecordReaderFuzzTests {
    @Test(.timeLimit(.minutes(5)), arguments: [Samples.export, Samples.lines])
    func intactLinesOfADamagedFileAreRead(sample: String) {
        var generator = Generator(seed: TestSeed.make())
        let lines = Set(sample.split(separator: "\n").map { Array($0.utf8) })
        for _ in 0..<2_000 {
            let damaged = Self.damage(Array(sample.utf8), using: &generator)
            let records = RecordReader.records(in: damaged)
            let read = Dictionary(grouping: records.filter { $0.object != nil }, by: \.line)
            for (index, line) in damaged.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                guard lines.contains(Array(line)), line.first == UInt8(ascii: "{") else { continue }
                let found = read[index + 1] ?? []
                let isRead = found.count == 1 && found.first?.bytes.lowerBound == line.startIndex
                #expect(isRead, "line \(index + 1) behind \(Self.damages(damaged, lines))")
            }
            #expect(records.count < 100)
            #expect(zip(records, records.dropFirst()).allSatisfy { $0.bytes.upperBound <= $1.bytes.lowerBound })
        }
    }

    @Test(.timeLimit(.minutes(5))) func noiseOfJSONsOwnCharactersIsReadToItsEnd() {
        var generator = Generator(seed: TestSeed.make())
        let characters = Array("{}[]\",:\\\n \t1atrue".utf8)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<count).map { _ in characters.randomElement(using: &generator) ?? 0 }
            let records = RecordReader.records(in: bytes, maximumRecordBytes: 20)
            #expect(records.count <= count + 1)
            #expect(records.allSatisfy { $0.line >= 1 && $0.bytes.upperBound <= count })
        }
    }

    @Test func randomObjectsAreReadAsTheyWereWritten() throws {
        var arbitrary = Arbitrary(generator: Generator(seed: TestSeed.make()))
        for format in ItemFormat.allCases {
            for _ in 0..<200 {
                let written = (0..<8).map { _ in arbitrary.object { $0.text() } }
                var writer = RecordWriter(format)
                let bytes = written.flatMap { writer.bytes(of: $0) } + writer.end()
                #expect(try RecordReader.records(in: bytes).map { try $0.result.get() } == written)
            }
        }
    }

    private static func damages(_ bytes: [UInt8], _ lines: Set<[UInt8]>) -> [String] {
        bytes.split(separator: 0x0A).filter { !lines.contains(Array($0)) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// One to four bytes made others: a bit of them, or any byte, or one of JSON's own.
    private static func damage(_ bytes: [UInt8], using generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 1: bytes[index] = .random(in: 0...255, using: &generator)
            default: bytes[index] = "{}[]\",:\\\n".utf8.randomElement(using: &generator) ?? 0
            }
        }
        return bytes
    }
}
