import Glibc
import Hub
import Platform
import SQLite
import TandemItems

extension HubStorageError {
    /// What an error of a layer below means for the hub.
    init(_ error: any Error) {
        switch error {
        case let error as HubStorageError: self = error
        case let error as SQLiteError: self.init(Code(error), error.description)
        case let error as PlatformError: self.init(Code(systemError: error.code), error.description)
        default: self.init(.failed, "\(error)")
        }
    }
}

extension HubStorageError.Code {
    init(_ error: SQLiteError) {
        if error.isDiskFull {
            self = .full
        } else if error.isReadOnly {
            self = .readOnly
        } else if error.isCorrupt {
            self = .corrupt
        } else if error.isBusy {
            self = .inUse
        } else if error.isCantOpen {
            self.init(systemError: error.systemErrorNumber)
        } else {
            self = .failed
        }
    }

    init(systemError: Int32) {
        switch systemError {
        case ENOSPC, EDQUOT: self = .full
        case EACCES, EPERM, EROFS: self = .readOnly
        default: self = .failed
        }
    }
}
