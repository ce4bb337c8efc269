import Platform
import TestSupport
import Testing

struct NetworkChangesTests {
    /// A fresh interface is news; where the test may not make one, the stream still begins and ends with its reader.
    @Test(.timeLimit(.minutes(5)))
    func endsWithItsReader() async {
        let reading = Task { for await _ in NetworkChanges.stream() {} }
        reading.cancel()
        await reading.value
    }
}
