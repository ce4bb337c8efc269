public import TandemItems
public import Wire

extension DaemonConnection {
    /// How long the daemon may take longer than it was told to wait for a sync.
    private static let syncMargin = Duration.seconds(15)

    /// How the replica stands with its hub.
    public func status() async throws(DaemonError) -> StatusReport {
        try await ask(.status, read: StatusReport.init(json:))
    }

    /// The lists of the replica; the first is the default list.
    public func lists() async throws(DaemonError) -> [StatusReport.List] {
        try await ask(.lists) { json throws(InvalidItem) in
            try json.members("the lists").elements("lists").map(StatusReport.List.init(json:))
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
            .sync(timeoutSeconds: seconds), patience: .seconds(seconds) + Self.syncMargin,
            read: StatusReport.init(json:))
    }

    /// Joins the hub that a join link names and uploads what the replica holds.
    public func join(link: String) async throws(DaemonError) -> StatusReport {
        try await ask(.join, ["link": .string(link)], read: StatusReport.init(json:))
    }

    /// Leaves the hub; the lists stay on this machine.
    public func leave() async throws(DaemonError) -> StatusReport {
        try await ask(.leave, read: StatusReport.init(json:))
    }
}
