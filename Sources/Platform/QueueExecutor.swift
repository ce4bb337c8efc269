import Dispatch

/// Runs the jobs of an actor one after another on a dispatch queue of its own, so that an actor that blocks
/// (SQLite, libpq, fsync) never holds a thread of the cooperative pool.
///
/// An actor keeps one in a `let` and has
/// `nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }`;
/// its `let` is what keeps that reference valid. Several actors may share one, and then exclude each other.
/// (`DispatchSerialQueue`, which does the same on Apple's systems, does not exist on Linux.)
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private static let owner = DispatchSpecificKey<ObjectIdentifier>()

    /// - Parameter label: what debuggers and crash reports call the queue.
    package init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.owner, value: ObjectIdentifier(self))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Traps when the caller is not on the queue; `assumeIsolated` asks.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Whether the caller is on the queue, without trapping.
    package func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.owner) == ObjectIdentifier(self)
    }
}
