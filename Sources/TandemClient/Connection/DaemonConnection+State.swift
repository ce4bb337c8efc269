public import TandemItems
public import Wire

extension DaemonConnection {
    /// How long the daemon may take longer than it was told to wait for a sync.
    private static let syncMargin = Duration.seconds(15)

    /// How the replica stands with its hub.
    public func status() async throws(DaemonError) -> StatusReport {
        try await ask(.status, read: StatusReport.read)
    }

    /// The lists of the replica; the first is the default list.
    public func lists() async throws(DaemonError) -> [StatusReport.List] {
        try await ask(.lists) { json throws(InvalidItem) in
            try json.members("the lists").elements("lists").reading { json throws(InvalidItem) in
                try StatusReport.List(json: json)
            }
        }
    }

    /// Adds a list at the end; throws `list-exists` where there is one of this name.
    public func addList(_ name: ListName, kind: ListKind) async throws(DaemonError) {
        try await ask(.addList, ["name": .string(name.text), "kind": .string(kind.text)]) { _ in }
    }

    /// Syncs now and returns once nothing is pending and every list is pulled to the hub's head.
    ///
    /// - Parameter timeout: rounded up to a second; a day at most. Throws `timed-out` after it, or the hub's reason
    ///   (`unreachable`, `unauthorized`, …) where it cannot be asked.
    public func sync(timeout: Duration) async throws(DaemonError) -> StatusReport {
        let whole = timeout.components.seconds + (timeout.components.attoseconds > 0 ? 1 : 0)
        let range = LocalRoute.syncSeconds
        let seconds = min(max(Int(clamping: whole), range.lowerBound), range.upperBound)
        return try await ask(
            .sync(timeoutSeconds: seconds), patience: .seconds(seconds) + Self.syncMargin, read: StatusReport.read)
    }

    /// Joins the hub that a join link names and uploads what the replica holds.
    public func join(link: String) async throws(DaemonError) -> StatusReport {
        try await ask(.join, ["link": .string(link)], read: StatusReport.read)
    }

    /// Leaves the hub; the lists stay on this machine.
    public func leave() async throws(DaemonError) -> StatusReport {
        try await ask(.leave, read: StatusReport.read)
    }
}

extension StatusReport {
    fileprivate static func read(_ json: JSON) throws(InvalidItem) -> StatusReport { try StatusReport(json: json) }
}

extension [JSON] {
    /// What each element is, or what is wrong with the first that is not.
    func reading<Value>(_ read: (JSON) throws(InvalidItem) -> Value) throws(InvalidItem) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for json in self { values.append(try read(json)) }
        return values
    }
}
