package import TandemItems

/// How a person settles a conflict.
package enum Resolution: Hashable, Sendable {
    /// The shown value stays.
    case shown
    /// The kept value is shown.
    case other
    /// A third value is shown.
    case value(JSON)
}

extension CoreModel {
    /// Items with open conflicts, in one list or in all. Throws where there is no such list.
    package func conflicts(in list: ListName? = nil) async throws -> [(list: ListName, item: Item)] {
        try await storage.read { store in
            if let list { _ = try Self.list(list, in: store) }
            return try store.lists().filter { list == nil || $0.name == list }.flatMap { list in
                try store.conflicted(in: list.name).map { (list: list.name, item: $0) }
            }
        }
    }

    /// Settles a conflict by an edit of its field, which every replica then sees. The id may be cut to a unique prefix.
    package func resolve(_ id: String, _ resolution: Resolution) async throws -> (list: ListName, edited: Edited) {
        let found = try await conflicts().flatMap { entry in
            entry.item.conflicts.filter { $0.id.text.hasPrefix(id) }.map { (entry.list, entry.item, $0) }
        }
        let exact = found.filter { $0.2.id.text == id }
        guard let (list, item, conflict) = exact.first ?? found.first, !id.isEmpty else {
            throw ModelError(.noSuchConflict, "there is no open conflict '\(id)'")
        }
        guard found.count == 1 || !exact.isEmpty else {
            throw ModelError(.ambiguous, "'\(id)' fits several conflicts")
        }
        let value: JSON =
            switch resolution {
            // An item that was never deleted has no such field.
            case .shown where conflict.field == .deleted: .bool(item.isDeleted)
            case .shown: item[conflict.field]
            case .other: conflict.value
            case .value(let value): value
            }
        let edit = Edit(item: item.id, base: item.version, set: [conflict.field: value])
        return (list: list, edited: try await self.edit(edit, in: list))
    }

    package func quarantined() async throws -> [QuarantinedMutation] {
        try await storage.read { try $0.quarantined() }
    }

    /// Makes a quarantined edit anew, on what its author had seen.
    package func retryQuarantined(_ id: String) async throws {
        let entry = try await entry(id)
        let edit = Edit(
            item: entry.mutation.item, base: entry.mutation.base, set: entry.mutation.set,
            increments: entry.mutation.increments)
        let model = self
        _ = try await storage.write { store in
            try store.removeQuarantined(entry.id)
            var session = try EditSession(model, entry.list, store)
            _ = try session.make(edit).get()
            return try session.finish()
        } committed: { [commits] in
            commits.publish($0)
        }
    }

    /// Gives up a quarantined edit. Says what it held, so that nothing goes in silence.
    package func discardQuarantined(_ id: String) async throws -> QuarantinedMutation {
        let entry = try await entry(id)
        try await storage.write { try $0.removeQuarantined(entry.id) }
        return entry
    }

    private func entry(_ id: String) async throws -> QuarantinedMutation {
        let found = try await quarantined().filter { $0.id.text.hasPrefix(id) }
        let exact = found.first { $0.id.text == id }
        guard let entry = exact ?? found.first, !id.isEmpty else {
            throw ModelError(.noSuchEntry, "there is nothing '\(id)' in quarantine")
        }
        guard found.count == 1 || exact != nil else { throw ModelError(.ambiguous, "'\(id)' fits several entries") }
        return entry
    }
}
