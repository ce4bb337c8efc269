import HubStore
import Platform

/// `tandem-hub backup` and `tandem-hub check`; both read one committed state while the hub serves.
enum Maintenance {
    static func backUp(_ parsed: Parsed, _ store: String) async throws {
        let path = try Files.absolute(parsed.required("FILE"))
        guard parsed.flag("force") || !Files.exists(path) else {
            throw parsed.mistake("\(path) is there already", hint: "Choose another name, or replace it with --force.")
        }
        try await HubFiles.with(store) { try await $0.backup(to: path) }
        print("backed up to \(path)")
    }

    static func check(_ parsed: Parsed, _ store: String) async throws {
        let findings = try await HubFiles.with(store) { try await $0.check() }
        guard findings.isEmpty else {
            for finding in findings { print(VisibleText.escape(finding)) }
            throw CommandError(
                "the store has \(findings.count) faults", hint: "stop the hub and go back to the latest sound backup")
        }
        print("the store is sound")
    }
}
