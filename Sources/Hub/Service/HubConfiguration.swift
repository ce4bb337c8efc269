package import TandemItems

/// What an operator may set about a hub's service.
package struct HubConfiguration: Sendable {
    /// The hub's name, for people.
    package var name: String
    package var limits: Limits
    /// How often an idle event stream is kept alive.
    package var heartbeat: Duration
    /// Largest body of one answer, in bytes, before the last item.
    package var answerBytes: Int

    package init(
        name: String = "hub", limits: Limits = Limits(), heartbeat: Duration = .seconds(15), answerBytes: Int = 4 << 20
    ) {
        self.name = name
        self.limits = limits
        self.heartbeat = heartbeat
        self.answerBytes = answerBytes
    }
}
