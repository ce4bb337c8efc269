import HTTP
import Sync
import TandemItems
import Wire

extension Failure {
    /// The answer to an error of the model, the store or the hub.
    init(describing error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as InvalidItem: self.init(error)
        case let error as ModelError: self.init(error)
        case let error as ReplicaStorageError: self.init(error)
        case let error as HubError:
            self.init(.unavailable, code: error.code.rawValue, error.message, hint: error.hint)
        default: self.init(.internalServerError, code: "failed", "\(error)")
        }
    }

    init(_ error: ModelError) {
        let status: Status =
            switch error.code {
            case .noSuchList, .noSuchItem, .noSuchConflict, .noSuchEntry: .notFound
            case .ambiguous, .invalid: .badRequest
            case .itemExists, .listExists, .alreadyJoined, .notJoined: .conflict
            case .readOnlyList: .forbidden
            }
        let hint: String? =
            switch error.code {
            case .noSuchList: "'tandem lists' shows the lists, 'tandem lists add NAME' adds one"
            case .noSuchItem: "'tandem ls' shows the items"
            case .noSuchConflict: "'tandem conflicts' shows the open conflicts"
            case .noSuchEntry: "'tandem quarantine' shows what is there"
            case .ambiguous: "give more of the id; for an item, --list LIST looks in one list only"
            case .readOnlyList: "ask the hub's operator for a token with the role 'editor'"
            case .alreadyJoined: "leave it first: tandem leave"
            case .notJoined: "join one: tandem join LINK"
            case .itemExists, .listExists, .invalid: nil
            }
        self.init(status, code: error.code.rawValue, error.message, hint: hint)
    }

    init(_ error: ReplicaStorageError) {
        let hint: String? =
            switch error.code {
            case .full: "make room on the disk of the store; nothing is lost, and edits work again then"
            case .readOnly: "make the store's directory writable for the daemon's user"
            case .corrupt: "restart the daemon: it sets the damaged store aside and keeps the edits it can read"
            case .tooNew: "upgrade tandemd"
            case .moved: "put the store's directory back, or restart the daemon to go on with what is there now"
            case .inUse, .failed: nil
            }
        let status: Status = error.code == .full ? .insufficientStorage : .unavailable
        self.init(status, code: error.code.rawValue, error.message, hint: hint)
    }
}

extension HubError {
    /// What to do about it.
    var hint: String? {
        switch code {
        case .unreachable, .interrupted:
            "nothing to do: edits are kept and the daemon tries again; 'tandem sync' tries at once"
        case .insecure: "check the hub's certificate and this machine's clock"
        case .notAHub: "check the address in the join link; a proxy may be in the way"
        case .unauthorized: "ask the hub's operator for a new join link, then: tandem join LINK"
        case .forbidden: "ask the hub's operator for a token with the role 'editor'"
        case .noSuchList: "ask the hub's operator whether the list was removed; what it holds is kept here"
        case .upgradeRequired: "upgrade the older of tandemd and tandem-hub; edits are kept"
        case .busy, .failed: "nothing to do: the daemon tries again"
        case .gone, .historyDiverged, .tooLarge: nil
        case .rejected: "this is a fault of the program; edits are kept; please report it"
        }
    }

    /// What to do about it where a hub was to be joined: the daemon does not try that again by itself.
    var joinHint: String? {
        switch code {
        case .unreachable, .interrupted, .busy, .failed:
            "check the address in the join link and whether the hub runs there, then join again"
        default: hint
        }
    }
}
