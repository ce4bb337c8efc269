package import TandemItems

/// Why the core model did not do what was asked. Nothing was changed.
package struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case noSuchList = "no-such-list"
        case noSuchItem = "no-such-item"
        case noSuchConflict = "no-such-conflict"
        case noSuchEntry = "no-such-entry"
        /// An id prefix fits several.
        case ambiguous
        case itemExists = "item-exists"
        case listExists = "list-exists"
        /// This machine's token may only read the list.
        case readOnlyList = "read-only-list"
        case alreadyJoined = "already-joined"
        case notJoined = "not-joined"
        /// The edit breaks a rule of the data.
        case invalid
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package init(_ error: InvalidItem) { self.init(.invalid, error.message) }

    package var description: String { message }
}
