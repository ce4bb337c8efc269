import Hub
import Platform
import TandemItems

/// `tandem-hub list`.
enum Lists {
    static func add(_ parsed: Parsed, _ store: String) async throws {
        let name = try ListName(parsed.required("NAME"))
        let kind = ListKind(parsed.value("kind") ?? "todo")
        try await HubFiles.administer(store, makingIt: true) { try await $0.addList(name, kind: kind) }
        print("added the list '\(name)'")
    }

    static func show(_ parsed: Parsed, _ store: String) async throws {
        let lists = try await HubFiles.administer(store) { try await $0.lists() }
        if parsed.flag("json") {
            let rows = lists.map { list in
                JSON.object([
                    "name": .string(list.name.text), "kind": .string(list.kind.text), "head": .int(list.head.number),
                ])
            }
            print(JSON.array(rows).text)
            return
        }
        guard !lists.isEmpty else {
            print("no lists yet; add one: tandem-hub list add todo")
            return
        }
        var table = Table([.init("LIST"), .init("KIND"), .init("CHANGES")])
        for list in lists { table.append([.init(list.name.text), .init(list.kind.text), .init("\(list.head)")]) }
        print(table.render(for: .standardOutput), terminator: "")
    }

    static func remove(_ parsed: Parsed, _ store: String) async throws {
        let name = try ListName(parsed.required("NAME"))
        guard parsed.flag("force") else {
            throw parsed.mistake(
                "this removes all items and the history of '\(name)' from the hub",
                hint: "Replicas keep what they hold. To go on: tandem-hub list rm --force \(name)")
        }
        try await HubFiles.administer(store) { try await $0.removeList(name) }
        print("removed the list '\(name)'")
    }
}
