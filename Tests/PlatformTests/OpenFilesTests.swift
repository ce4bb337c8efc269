import Platform
import Testing

struct OpenFilesTests {
    @Test func theSoftLimitBecomesTheHardOne() {
        let limit = OpenFiles.raiseLimit()
        #expect(limit >= 256)
        #expect(OpenFiles.raiseLimit() == limit)
    }
}
