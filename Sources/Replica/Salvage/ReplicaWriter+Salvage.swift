import Platform
import Sync

extension ReplicaWriter {
    /// Puts a damaged store aside and a new one with its pending mutations in its place. Leaves it closed.
    func rescue(
        _ files: ReplicaFiles, _ new: NewStore, _ options: SQLiteReplicaStorage.Options, now: Int64
    ) throws -> Salvage {
        try locked(files, options) {
            try StoreRescue(files: files, now: now).run(ReplicaOpening(files: files, new: new, options: options))
        }
    }

    func setAside(_ files: ReplicaFiles, _ options: SQLiteReplicaStorage.Options, now: Int64) throws -> Salvage {
        try locked(files, options) { StoreRescue.read(try StoreRescue(files: files, now: now).moveAside()) }
    }

    private func locked<Value>(
        _ files: ReplicaFiles, _ options: SQLiteReplicaStorage.Options, _ body: () throws -> Value
    ) throws -> Value {
        do {
            let lock = try FileLock(path: files.lock, program: options.program)
            return try withExtendedLifetime(lock) { try body() }
        } catch {
            throw ReplicaStorageError(error)
        }
    }
}
