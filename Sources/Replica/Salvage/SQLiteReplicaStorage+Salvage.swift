import Sync

extension SQLiteReplicaStorage {
    /// Opens a store as ``open(directory:new:options:)`` does. A damaged one is moved to `set-aside-TIME` in its
    /// directory, never deleted, and a new one is opened in its place that has the record, the lists, all pending and
    /// quarantined mutations that can still be read, and, where there is no hub to ask, the items.
    ///
    /// Cut short anywhere, the next call goes on with it, and until then ``open(directory:new:options:)`` says
    /// `corrupt`; so no edit is lost on the way.
    /// - Parameter now: Unix milliseconds, for the directory's name.
    /// - Returns: the store, and what was salvaged; `nil` where the store was sound.
    package static func openSalvaging(
        directory: String, new: NewStore, options: Options = Options(), now: Int64
    ) async throws -> (storage: SQLiteReplicaStorage, salvage: Salvage?) {
        do {
            return (try await open(directory: directory, new: new, options: options), nil)
        } catch let error as ReplicaStorageError where error.code == .corrupt {
            let files = ReplicaFiles(directory: directory)
            let salvage = try await ReplicaWriter().rescue(files, new, options, now: now)
            return (try await open(directory: directory, new: new, options: options), salvage)
        }
    }

    /// Moves a store's files to `set-aside-TIME` in its directory and answers what can be read of them, the items
    /// excepted. The directory is then free for a new store, which knows nothing of the old one: to keep the pending
    /// mutations whatever happens in between, use ``openSalvaging(directory:new:options:now:)``.
    ///
    /// Throws ``ReplicaStorageError``: `inUse` while a process has the store open.
    /// - Parameter now: Unix milliseconds, for the directory's name.
    package static func setAside(
        directory: String, options: Options = Options(), now: Int64
    ) async throws -> Salvage {
        try await ReplicaWriter().setAside(ReplicaFiles(directory: directory), options, now: now)
    }
}
