public import TandemItems
public import Wire

extension DaemonConnection {
    /// Makes edits in their order; the result of each, at its place.
    ///
    /// Each edit stands by itself: a refused one leaves the others. More than `Limits.batchMutations` edits, or more
    /// than `Limits.batchBytes` of them, go in several requests. Throws where none of them is known to be made; where
    /// a later request fails, its edits and those behind it have that error as their results.
    @concurrent
    public func edit(
        _ edits: [EditRequest], in list: ListName
    ) async throws(DaemonError) -> [Result<EditResult, DaemonError>] {
        var results: [Result<EditResult, DaemonError>] = []
        for batch in Self.batches(of: edits.map(\.json)) {
            do throws(DaemonError) {
                results += try await make(batch, in: list)
            } catch {
                guard !results.isEmpty else { throw error }
                return results + Array(repeating: .failure(error), count: edits.count - results.count)
            }
        }
        return results
    }

    /// Makes one edit.
    public func edit(_ edit: EditRequest, in list: ListName) async throws(DaemonError) -> EditResult {
        guard let result = try await self.edit([edit], in: list).first else {
            throw DaemonError(unreadable: "it has no result", at: address)
        }
        return try result.get()
    }

    private func make(
        _ batch: [JSON], in list: ListName
    ) async throws(DaemonError) -> [Result<EditResult, DaemonError>] {
        try await ask(.edit(list), ["edits": .array(batch)]) { json throws(InvalidItem) in
            try json.results(batch.count, EditResult.init(json:))
        }
    }

    private static func batches(of edits: [JSON]) -> [[JSON]] {
        let limits = Limits()
        var batches: [[JSON]] = []
        var bytes = 0
        for edit in edits {
            let size = edit.encoded().count + 1
            bytes += size
            if let last = batches.last, last.count < limits.batchMutations, bytes < limits.batchBytes {
                batches[batches.count - 1].append(edit)
            } else {
                batches.append([edit])
                bytes = size
            }
        }
        return batches
    }
}

extension JSON {
    /// The member `results`: as many as were asked for, each a value or a refusal.
    func results<Value>(
        _ count: Int, _ read: (JSON) throws(InvalidItem) -> Value
    ) throws(InvalidItem) -> [Result<Value, DaemonError>] {
        let parts = try members("the answer").elements("results")
        guard parts.count == count else { throw InvalidItem(.shape, "\(parts.count) results for \(count) parts") }
        return try parts.map { json throws(InvalidItem) in
            if let part = json.object, part["code"] != nil { return .failure(try DaemonError(part: part)) }
            return .success(try read(json))
        }
    }
}
