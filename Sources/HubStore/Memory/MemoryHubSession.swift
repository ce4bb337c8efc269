package import Hub
package import TandemItems

/// One transaction over a state in memory: what it changes it can undo.
package final class MemoryHubSession: HubTransaction {
    package var state: MemoryHubState
    package private(set) var failure: HubStorageError?
    var changes = ItemChanges()
    private var steps: [(inout MemoryHubState) -> Void] = []

    package init(_ state: MemoryHubState) { self.state = state }

    /// Throws what a call has thrown, even if the body caught it. Nothing can be called afterwards.
    package func end() throws {
        if let failure { throw failure }
        try changes.check()
        failure = HubStorageError(.failed, "the transaction is over")
    }

    /// Takes back every change.
    package func undo() {
        for step in steps.reversed() { step(&state) }
    }

    package func epoch() throws -> Epoch {
        try check()
        return state.epoch
    }

    package func lists() throws -> [HubList] {
        try check()
        return state.lists.values.map(\.list).sorted { $0.name < $1.name }
    }

    package func list(_ name: ListName) throws -> HubList? {
        try check()
        return state.lists[name]?.list
    }

    package func add(_ list: HubList) throws {
        try check(state.lists[list.name] == nil, "there is a list \(list.name) already")
        try check(list.head == .none, "a new list starts at sequence 0")
        let name = list.name
        state.lists[name] = MemoryList(list)
        changed { $0.lists[name] = nil }
    }

    package func removeList(_ name: ListName) throws {
        let old = try existing(name)
        state.lists[name] = nil
        changes.remove(name)
        changed { $0.lists[name] = old }
    }

    package func tokens() throws -> [TokenRecord] {
        try check()
        return state.tokens.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    package func token(hash: [UInt8]) throws -> TokenRecord? {
        try check()
        return state.tokens.values.first { $0.hash == hash }
    }

    package func put(_ token: TokenRecord) throws {
        let name = Array(token.name.utf8)
        let isFree = !state.tokens.contains { $0.value.hash == token.hash && $0.key != name }
        try check(isFree, "another token has this hash")
        let old = state.tokens.updateValue(token, forKey: name)
        changed { $0.tokens[name] = old }
    }

    package func replicaNames() throws -> [ReplicaID: String] {
        try check()
        return state.replicaNames
    }

    package func setName(_ name: String, of replica: ReplicaID) throws {
        try check()
        let old = state.replicaNames.updateValue(name, forKey: replica)
        changed { $0.replicaNames[replica] = old }
    }

    func existing(_ name: ListName) throws -> MemoryList {
        try check()
        guard let list = state.lists[name] else { throw fail("there is no list \(name)") }
        return list
    }

    /// Throws, and fails the body, where a rule does not hold or one before it did not.
    func check(_ holds: Bool = true, _ message: @autoclosure () -> String = "") throws {
        if let failure { throw failure }
        guard holds else { throw fail(message()) }
    }

    /// Remembers how to take a change back.
    func changed(undo step: @escaping (inout MemoryHubState) -> Void) { steps.append(step) }

    private func fail(_ message: String) -> HubStorageError {
        let error = HubStorageError(.failed, message)
        failure = error
        return error
    }
}
