package import TandemItems

/// One record of a file: an object, or why there is none.
package struct Record: Hashable, Sendable {
    /// The line on which it starts, counted from 1.
    package let line: Int
    /// Its bytes in the file, a byte-order mark counted. Behind a fault, up to where reading goes on.
    package let bytes: Range<Int>
    /// The object as it was written, or the fault.
    package let result: Result<JSONObject, RecordError>
}

/// Why a part of a file is no record. The others are read all the same.
package struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the fault, counted from 1; in a record of several lines not always that on which it starts.
    package let line: Int
    /// What is wrong, for people.
    package let message: String

    /// Makes an error.
    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// `line 3: expected ':'`
    package var description: String { "line \(line): \(message)" }
}
