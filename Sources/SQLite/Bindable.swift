/// A value that binds itself to a parameter of a statement. Identifier types of other modules may conform.
package protocol Bindable {
    /// - Parameter index: counts from 1, as in SQLite.
    func bind(to statement: Statement, at index: Int) throws
}

extension Int64: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(self, at: index)
    }
}

extension Int: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(Int64(self), at: index)
    }
}

/// Stored as 1 or 0.
extension Bool: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(Int64(self ? 1 : 0), at: index)
    }
}

/// Not a number is stored as NULL, which is SQLite's rule.
extension Double: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(self, at: index)
    }
}

extension String: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(self, at: index)
    }
}

/// Bytes are stored as a blob; no bytes are an empty blob, not NULL.
extension [UInt8]: Bindable {
    package func bind(to statement: Statement, at index: Int) throws {
        try statement.bind(self, at: index)
    }
}
