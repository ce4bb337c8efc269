extension Mutation {
    /// The same edit, saying `deleted: false` where its author's replica has reason to think that the item is deleted.
    ///
    /// What is edited is meant to stay. A replica that mints an edit passes it through here, because its view cannot
    /// be trusted on this: it may show the item alive only because a mutation whose answer was lost is foreseen a
    /// second time, on top of a delete that had seen it. The edit's base then says that the delete was seen, and
    /// without this word the hub would keep the edit inside the deleted item.
    ///
    /// - Parameters:
    ///   - confirmed: the item as the replica has it from the hub.
    ///   - pending: the replica's earlier mutations of the item that wait for an outcome.
    public func reviving(_ confirmed: Item?, after pending: [Mutation]) -> Mutation {
        let mayBeDeleted = confirmed?.isDeleted ?? false || pending.contains { $0.set[.deleted] == true }
        guard mayBeDeleted, editsContent, set[.deleted] == nil else { return self }
        var mutation = self
        mutation.set[.deleted] = false
        return mutation
    }
}
