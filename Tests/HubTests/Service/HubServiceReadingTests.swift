import HTTP
import Hub
import Platform
import TandemItems
import Testing
import Wire

@Suite("HubService reading", .timeLimit(.minutes(2)))
struct HubServiceReadingTests {
    @Test(arguments: StorageKind.allCases)
    func helloSaysWhatTheTokenMayDo(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            try await hub.push(try mutation("a"))
            let response = await hub.service.respond(to: hub.request(.hello, token: hub.reader))
            try expectEnvelope(response, hub)
            let hello = try Hello(json: try JSON(parsing: response.bytes))
            #expect(hello.name == "a hub")
            #expect(hello.epoch == Epoch("epoch-1"))
            #expect(hello.protocols == 1...1)
            #expect(hello.limits == HubServiceFixture.limits)
            #expect(hello.time.milliseconds == hub.time.now)
            #expect(hello.grants == [Grant(list: .todo, kind: .todo, role: .reader, head: Version(1))])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func historyHasEveryMutationOfTheItem(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let made = [
                try mutation("a", set: [.title: "one"], by: "r1", n: 1),
                try mutation("a", set: [.title: "two"], by: "r2", n: 1),
                try mutation("a", set: [.title: "both"], base: Version(3), by: "r1", n: 2),
            ]
            for mutation in made { try await hub.push(mutation, try FixtureMutation.other(after: mutation)) }
            let response = await hub.service.respond(to: hub.request(.history(.todo, try ItemID("a"))))
            try expectEnvelope(response, hub)
            let array = try #require(try JSON(parsing: response.bytes).object?["entries"]?.array)
            let entries = try array.map { try HistoryEntry(json: $0) }
            #expect(entries.map(\.mutation.set) == made.map(\.set))
            #expect(entries.map(\.opened.count) == [0, 1, 0])
            #expect(entries.map(\.closed.count) == [0, 0, 1])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func historyOfAnUnknownItemIsEmpty(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let answer = try await hub.json(hub.request(.history(.todo, try ItemID("nobody"))))
            #expect(answer.object?["entries"] == [])
        }
    }

    @Test func digestIsThatOfTheContentOnEveryHub() async throws {
        var digests: Set<JSON> = []
        for kind in StorageKind.allCases {
            try await HubServiceFixture.with(kind) { hub async throws in
                try await hub.push(try mutation("b", n: 1), try mutation("a", n: 2))
                try await hub.push(try mutation("gone", n: 3))
                try await hub.push(try mutation("gone", set: [.deleted: true], base: Version(3), n: 4))
                let response = await hub.service.respond(to: hub.request(.digest(.todo)))
                try expectEnvelope(response, hub)
                let object = try #require(try JSON(parsing: response.bytes).object)
                #expect(object["items"] == 2)
                #expect(object["cursor"] == .string(try await hub.page().cursor.description))
                digests.insert(try #require(object["digest"]))
                try await hub.push(try mutation("c", n: 5))
                let later = try await hub.json(hub.request(.digest(.todo)))
                #expect(later.object?["digest"] != object["digest"])
            }
        }
        #expect(digests.count == 1)
    }

    @Test(arguments: StorageKind.allCases)
    func healthNeedsNoToken(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let response = await hub.service.respond(to: HubRoute.health.request)
            #expect(response.status == .ok)
            try expectEnvelope(response, hub)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func metricsCountWhatWasDone(kind: StorageKind) async throws {
        try await HubServiceFixture.with(kind) { hub async throws in
            let large = JSON.string(String(repeating: "x", count: 2_000))
            try await hub.push(try mutation("a", by: "r1"), try mutation("b", set: [.title: large], by: "r1", n: 2))
            try await hub.push(try mutation("a", set: [.title: "other"], by: "r2"))
            try await hub.push(try mutation("a", by: "r1"))
            _ = await hub.service.respond(to: Request(.get, ["nothing"]))
            _ = await hub.service.respond(to: HubRoute.hello.request)
            let response = await hub.service.respond(to: HubRoute.metrics.request)
            #expect(response.status == .ok)
            #expect(response.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let lines = String(decoding: response.bytes, as: UTF8.self).split(separator: "\n")
            for line in [
                #"tandem_hub_requests_total{route="hello",status="401"} 1"#,
                #"tandem_hub_requests_total{route="none",status="404"} 1"#,
                #"tandem_hub_requests_total{route="push",status="200"} 3"#,
                #"tandem_hub_mutations_total{outcome="accepted"} 2"#,
                #"tandem_hub_mutations_total{outcome="refused"} 1"#,
                #"tandem_hub_mutations_total{outcome="repeated"} 1"#,
                "tandem_hub_conflicts_opened_total 1", "tandem_hub_event_streams 0",
                #"tandem_hub_list_head{list="other"} 0"#, #"tandem_hub_list_head{list="todo"} 2"#,
            ] {
                #expect(lines.contains(Substring(line)), "\(line)")
            }
            #expect(lines.allSatisfy { $0.hasPrefix("tandem_hub_") || $0.hasPrefix("# ") })
        }
    }

    @Test(
        arguments: [
            (Peer.network(address: "127.0.0.1"), 200), (.network(address: "::1"), 200),
            (.local(user: 1, group: 1, process: 1), 200), (.network(address: "192.0.2.7"), 403),
            (.network(address: "::ffff:192.0.2.7"), 403), (.network(address: ""), 403),
        ])
    func metricsAreForThisMachineAlone(peer: Peer, status: Int) async throws {
        try await HubServiceFixture.with(.memory) { hub async throws in
            var request = HubRoute.metrics.request
            request.peer = peer
            #expect(await hub.service.respond(to: request).status.code == status)
            request.headers["X-Forwarded-For"] = "127.0.0.1"
            #expect(await hub.service.respond(to: request).status.code == 403)
        }
    }
}

private enum FixtureMutation {
    /// A mutation of another item by the same replica.
    static func other(after made: Mutation) throws -> Mutation {
        try mutation("another", by: made.replica.text, n: made.n + 100)
    }
}
