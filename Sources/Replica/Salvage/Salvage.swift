package import Sync
package import TandemItems

/// What could still be read of a damaged store. The damaged files themselves are kept.
package struct Salvage: Sendable {
    /// A mutation that no hub has accepted yet.
    package struct Pending: Hashable, Sendable {
        package var list: ListName
        package var mutation: Mutation

        package init(list: ListName, mutation: Mutation) {
            self.list = list
            self.mutation = mutation
        }
    }

    /// The directory that the damaged files were moved to.
    package var directory: String
    /// `nil` where it could not be read: then the store's membership is lost with it.
    package var record: StoreRecord?
    package var lists: [ReplicaList] = []
    package var pending: [Pending] = []
    package var quarantined: [QuarantinedMutation] = []
    /// How many items were read and put into the new store: only where there is no hub to fetch them from anew.
    package var items = 0
    /// What could not be read, for people. Empty where everything was.
    package var losses: [String] = []

    init(directory: String) { self.directory = directory }
}
