import Platform
import Testing

@Suite("RelativeTime")
struct RelativeTimeTests {
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    @Test(
        arguments: [
            (0, "just now"), (4_999, "just now"), (-4_999, "just now"), (5_000, "5 s ago"), (-59_999, "in 59 s"),
            (3 * minute, "3 min ago"), (-61 * minute, "in 1 h"), (23 * 60 * minute, "23 h ago"), (day, "1 day ago"),
            (-2 * day, "in 2 days"), (59 * day, "59 days ago"), (60 * day, "2 months ago"),
            (729 * day, "24 months ago"),
            (730 * day, "2 years ago"), (-3_660 * day, "in 10 years"),
        ] as [(Int64, String)])
    func distanceIsToldInItsLargestUnit(milliseconds: Int64, text: String) {
        let now: Int64 = 1_700_000_000_000
        #expect(RelativeTime.text(now - milliseconds, now: now) == text)
    }

    @Test func farthestInstantsDoNotOverflow() {
        #expect(RelativeTime.text(.min, now: .max).hasSuffix("years ago"))
        #expect(RelativeTime.text(.max, now: .min).hasPrefix("in "))
        #expect(RelativeTime.text(.min, now: 0).hasSuffix("years ago"))
    }
}

@Suite("TimeText")
struct TimeTextTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func utcTextIsRFC3339(instant: Int64, text: String) {
        #expect(UTCTime.text(instant) == text)
    }

    @Test(arguments: [Int64.min, .min + 1, .max])
    func instantsOutsideOfAnyCalendarDoNotTrap(instant: Int64) {
        #expect(!UTCTime.text(instant).isEmpty)
        #expect(!LocalTime.text(instant).isEmpty)
    }

    @Test func localTextIsDateAndMinute() {
        #expect(LocalTime.text(1_700_000_000_000).wholeMatch(of: /2023-11-1[45] \d\d:\d\d/) != nil)
    }
}
