import TandemItems
import Testing

/// The stored form of items names the members of its types one by one, so that a new one is not lost unnoticed.
@Suite struct ItemCodingStorageTests {
    @Test func everyMemberIsOneThatTheStoredFormKnows() throws {
        let item = try makeItem("a")
        let origin = try #require(item.fields[.title]?.origin)
        #expect(labels(of: item) == ["id", "version", "fields", "conflicts", "unknown"])
        #expect(labels(of: origin) == ["version", "replica", "n", "at", "blend"])
        #expect(labels(of: Field(.null, origin)) == ["value", "origin"])
    }

    private func labels(of value: Any) -> [String] {
        Mirror(reflecting: value).children.compactMap(\.label)
    }
}
