import Platform
import TandemClient

/// What an edit is or did, in a few words.
enum EditText {
    /// `title = Buy milk, count + 2`.
    static func changes(of mutation: Mutation) -> String {
        let set = mutation.set.entries.map { assignment($0.name, $0.value) }
        let increments = mutation.increments.entries.map { name, step in
            "\(name) \(step < 0 ? "-" : "+") \(step.magnitude)"
        }
        return (set + increments).joined(separator: ", ")
    }

    /// `title = Buy milk`, `due removed`, `deleted`.
    static func assignment(_ name: FieldName, _ value: JSON) -> String {
        if name == .deleted { return value == .bool(true) ? "deleted" : "brought back" }
        if name == .order { return "moved" }
        return value.isNull ? "\(name) removed" : "\(name) = \(value.forPeople)"
    }

    /// `added: Buy milk (a1b2c3 in todo)`; `word` says what was done, `unchanged` what was so already.
    static func line(_ result: EditResult, _ word: String, unchanged: String, _ screen: Screen) -> String {
        let isUnchanged = result.effect == "unchanged"
        let place = "(\(ShortIDs.alone(result.item.id)) in \(result.list))"
        let verb = screen.terminal.styled(isUnchanged ? unchanged : word, isUnchanged ? [.dim] : [.green])
        return verb + ": " + screen.text(result.item.heading) + " " + screen.text(place, .dim)
    }
}
