// `environ` is a variable in C; it is only read here, and nothing in Tandem calls setenv(3).
@preconcurrency import Glibc

/// The environment as a value, so that everything that depends on it is a function of a dictionary.
package enum ProcessEnvironment {
    /// The variables of this process; a variable that is not UTF-8 is repaired, one without `=` left out.
    package static var current: [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                result[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
            }
            next += 1
        }
        return result
    }
}
