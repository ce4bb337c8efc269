import TandemItems

/// The fields that are typed in a schedule.
extension FieldName {
    static let count = plain("count")
    static let note = plain("note")
    static let body = plain("body")
    static let big = plain("big")
    static let tag = plain("tags/home")

    private static func plain(_ text: String) -> FieldName {
        guard let name = try? FieldName(text) else { preconditionFailure("\(text) keeps the rule of names") }
        return name
    }
}
