import TandemItems

/// Bounds of what a hub says for people. It is stored, told again with every status and printed, so that a hub that
/// says too much is cut short, not believed.
package enum HubText {
    /// The longest name of a hub or a replica, in bytes.
    package static let nameBytes = 256
    /// The longest message of an error or a refusal, in bytes.
    package static let messageBytes = 2_048
    /// The most lists of a token.
    package static let lists = 1_000
}

extension String {
    /// The text up to so many bytes.
    package func cut(toBytes bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self)
    }
}

extension Epoch {
    init(json: JSONObject) throws(InvalidItem) {
        let text = try json.text("epoch")
        // A cursor has it in it.
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2E }) else {
            throw InvalidItem(.shape, "'epoch' is 1 to 64 printable characters without a dot")
        }
        self.init(text)
    }
}
