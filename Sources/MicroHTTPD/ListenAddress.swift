/// Where a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// An address or a host name, and a port; 0 lets the system choose one.
    case tcp(address: String, port: UInt16)
    /// A socket file. Its mode is 0600, or 0660 where a group is to have access. A file that is there is replaced
    /// if nobody answers on it.
    case unix(path: String, group: UInt32?)
    /// A listening socket that this process was started with (sd_listen_fds(3)). The server closes it at its end.
    case inherited(descriptor: Int32)
}
