import Platform
import SQLite

extension Connection {
    /// Copies one state of the database into a temporary file beside `path` and puts that in its place. What is at
    /// `path` is a whole copy at every instant, and after return it survives a power cut.
    func writeCopy(to path: String) throws {
        let temporary = path + "." + String(SystemRandom().next(), radix: 36) + ".partial"
        try Files.write([], to: temporary)
        do {
            try backup(to: temporary)
            try Files.move(temporary, to: path)
        } catch {
            // The error tells why there is no copy; that its rest stays behind is the smaller evil.
            _ = try? Files.remove(temporary)
            throw error
        }
    }
}
