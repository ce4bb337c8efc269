// Foundation, for the Unicode rules of comparing without case and diacritics.
import Foundation
import TandemItems

extension Item {
    /// Whether a text value of the item contains `text`, regardless of case and diacritics. Every item contains the
    /// empty text.
    func contains(_ text: String) -> Bool {
        text.isEmpty || fields.entries.contains { $0.name != .order && $0.value.value.contains(text) }
    }
}

extension JSON {
    fileprivate func contains(_ text: String) -> Bool {
        switch self {
        case .string(let value):
            value.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        case .array(let elements): elements.contains { $0.contains(text) }
        case .object(let object): object.members.contains { $0.value.contains(text) }
        default: false
        }
    }
}
