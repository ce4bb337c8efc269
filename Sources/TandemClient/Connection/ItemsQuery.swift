public import TandemItems
import Wire

/// Which items of a list are asked for, and in which order; by default all, as they stand in the list.
public struct ItemsQuery: Hashable, Sendable {
    /// Items that hold this text in a field.
    public var text: String?
    /// Items that are completed, or that are not.
    public var isCompleted: Bool?
    /// The field to sort by, with `-` before it for the descending order; the list's own order where it is `nil`.
    public var sort: String?
    /// How many items at most.
    public var limit: Int?
    /// Only items that stand behind this one in the list's own order.
    public var after: ItemID?

    /// Makes a query.
    public init(
        text: String? = nil, isCompleted: Bool? = nil, sort: String? = nil, limit: Int? = nil, after: ItemID? = nil
    ) {
        self.text = text
        self.isCompleted = isCompleted
        self.sort = sort
        self.limit = limit
        self.after = after
    }

    /// The query for the part of the answer behind an item.
    func route(limit: Int?, after: ItemID?) -> LocalRoute.ItemsQuery {
        LocalRoute.ItemsQuery(text: text, isCompleted: isCompleted, sort: sort, limit: limit, after: after)
    }
}
