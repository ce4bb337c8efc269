import CSQLite
import Synchronization

/// Ends the running statement of a connection from another thread; the statement throws `interrupted`.
///
/// The only part of a connection that any thread may use, at any time: it does nothing when no statement runs,
/// or when the connection is closed (sqlite3_interrupt() itself must not see a closed one).
package final class Interrupter: Sendable {
    /// The address as an integer: a pointer is not `Sendable`, and the mutex is what makes its use safe.
    private let address: Mutex<UInt>

    init(_ database: OpaquePointer?) {
        address = Mutex(UInt(bitPattern: database))
    }

    package func interrupt() {
        address.withLock { address in
            guard let database = OpaquePointer(bitPattern: address) else { return }
            sqlite3_interrupt(database)
        }
    }

    func disarm() {
        address.withLock { $0 = 0 }
    }
}
