import TandemItems

/// What no hub answers that keeps its promises. A replica that took such an answer would lose edits, never see later
/// changes of an item, or ask again and again.
extension ChangesPage {
    /// What is wrong with a page that was asked for from a place on; `nil` where it is sound: it leads on or to the head,
    /// and its items changed on the way, each after the one before.
    func fault(since cursor: Cursor?) -> String? {
        let (start, end) = (cursor?.sequence, self.cursor.sequence)
        let leadsOn = end < head && end > start ?? .none && !items.isEmpty
        guard leadsOn || (end == head && end >= start ?? .none) else { return "the hub's page leads nowhere" }
        var last = start ?? .none
        for item in items {
            guard item.version > last, item.version <= end else { return "the hub's page has items from elsewhere" }
            last = item.version
        }
        return nil
    }
}

extension PushAnswer {
    /// What is wrong with the answer to these mutations; `nil` where it is sound: it has an outcome for the first of
    /// them or more, and the item of every accepted one. Without its item an edit would leave the view and come to
    /// nothing if the hub has not kept it either.
    func fault(for sent: [Mutation]) -> String? {
        guard (1...sent.count).contains(outcomes.count) else {
            return "the hub's answer has not the outcomes of the push"
        }
        let versions = Dictionary(items.map { ($0.id, $0.version) }, uniquingKeysWith: max)
        for (mutation, outcome) in zip(sent, outcomes) {
            guard case .accepted(let version) = outcome else { continue }
            guard version > .none, versions[mutation.item] ?? .none >= version else {
                return "the hub's answer has not the items of the push"
            }
        }
        return nil
    }
}

extension Outcome {
    /// The hub knows another mutation of this replica id and number. Its words may differ from hub to hub.
    var isForked: Bool {
        if case .refused(let refusal) = self { refusal.code == Refusal.replicaForked.code } else { false }
    }
}
