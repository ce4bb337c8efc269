import CSodium

/// libsodium, initialised once a process; everything in this module goes through `ready`.
enum Library {
    private static let initialised: Void = {
        // Fails only when the system has no source of random bytes: nothing can be done safely then.
        precondition(sodium_init() >= 0, "libsodium does not start")
    }()

    static func ready() {
        _ = initialised
    }
}
