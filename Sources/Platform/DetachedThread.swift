import Glibc

/// Threads of their own for libraries that wait in a loop: such a wait must not hold a thread of the cooperative pool.
package enum DetachedThread {
    /// Starts a thread that ends with its body. It takes no signals: they belong to the program's own handling, and
    /// `SIGPIPE` would end the process where a TLS library writes to a peer that has left. `false` where the system
    /// refuses.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))  // released by the thread, or below
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)  // inherited by the new thread
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        guard pthread_create(&thread, nil, run, work.toOpaque()) == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
