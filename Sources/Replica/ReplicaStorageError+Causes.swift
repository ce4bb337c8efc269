import Glibc
import Platform
import SQLite
import Sync
import TandemItems

extension ReplicaStorageError {
    /// Sorts what the layers below said. Stored bytes that cannot be read are damage, whoever finds it.
    init(_ error: any Error) {
        switch error {
        case let error as ReplicaStorageError: self = error
        case let error as SQLiteError: self.init(Self.code(of: error), error.description)
        case let error as PlatformError: self.init(Self.code(of: error), error.description)
        case let error as InvalidItem: self.init(.corrupt, "a stored value cannot be read: \(error)")
        case let error as JSONError: self.init(.corrupt, "a stored value cannot be read: \(error)")
        default: self.init(.failed, "\(error)")
        }
    }

    /// A write that names a list which the store does not have.
    static func noList(_ name: ListName) -> ReplicaStorageError {
        ReplicaStorageError(.failed, "the store has no list '\(name)'")
    }

    private static func code(of error: SQLiteError) -> Code {
        if error.isDiskFull { return .full }
        if error.isReadOnly { return .readOnly }
        return error.isCorrupt ? .corrupt : .failed
    }

    private static func code(of error: PlatformError) -> Code {
        switch error.code {
        case EWOULDBLOCK: .inUse
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        default: .failed
        }
    }
}
