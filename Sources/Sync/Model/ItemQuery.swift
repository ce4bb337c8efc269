package import TandemItems

/// Which items of a list are asked for, and in what order.
package struct ItemQuery: Hashable, Sendable {
    package enum Order: Hashable, Sendable {
        /// As people have put them: by order key, then id.
        case list
        /// By a field's value: absent last, numbers before texts, then as in the list.
        case field(FieldName, isDescending: Bool)
    }

    /// Items whose texts contain this, regardless of case and diacritics.
    package var text: String?
    /// Only completed items, or only open ones.
    package var isCompleted: Bool?
    package var order: Order
    /// At most this many.
    package var limit: Int?
    /// Only in the list's order: behind this place.
    package var after: Place?

    package init(
        text: String? = nil, isCompleted: Bool? = nil, order: Order = .list, limit: Int? = nil, after: Place? = nil
    ) {
        self.text = text
        self.isCompleted = isCompleted
        self.order = order
        self.limit = limit
        self.after = after
    }
}
