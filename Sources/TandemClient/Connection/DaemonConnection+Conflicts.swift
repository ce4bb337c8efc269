public import TandemItems
public import Wire

extension DaemonConnection {
    /// What becomes of a conflict.
    public enum Resolution: Hashable, Sendable {
        /// The value that is shown stays.
        case shown
        /// The other value is taken.
        case other
        /// Neither: this value is written.
        case value(JSON)

        fileprivate var json: JSON {
            switch self {
            case .shown: ["take": "shown"]
            case .other: ["take": "other"]
            case .value(let value): ["value": value]
            }
        }
    }

    /// The open conflicts of a list, or of all.
    public func conflicts(in list: ListName? = nil) async throws(DaemonError) -> [ConflictReport] {
        try await ask(.conflicts(list)) { json throws(InvalidItem) in
            try json.members("the conflicts").elements("conflicts").map(ConflictReport.init(json:))
        }
    }

    /// Closes a conflict on every machine.
    ///
    /// - Parameters:
    ///   - conflict: its id or a unique prefix of it.
    ///   - resolution: the value that is shown from now on.
    public func resolve(_ conflict: String, _ resolution: Resolution) async throws(DaemonError) -> EditResult {
        try Self.checkID(conflict, "conflict")
        return try await ask(.resolve(conflict), resolution.json, read: EditResult.init(json:))
    }

    /// The edits that the hub has refused.
    public func quarantine() async throws(DaemonError) -> [ItemReport.Quarantined] {
        try await ask(.quarantine) { json throws(InvalidItem) in
            try json.members("the quarantine").elements("quarantined").map(ItemReport.Quarantined.init(json:))
        }
    }

    /// Offers a refused edit to the hub again.
    ///
    /// - Parameter id: the entry's id or a unique prefix of it.
    public func retryQuarantined(_ id: String) async throws(DaemonError) {
        try Self.checkID(id, "entry")
        try await ask(.retry(id)) { _ in }
    }

    /// Drops a refused edit for good and returns it.
    ///
    /// - Parameter id: the entry's id or a unique prefix of it.
    @discardableResult
    public func discardQuarantined(_ id: String) async throws(DaemonError) -> ItemReport.Quarantined {
        try Self.checkID(id, "entry")
        return try await ask(.discard(id), read: ItemReport.Quarantined.init(json:))
    }
}
