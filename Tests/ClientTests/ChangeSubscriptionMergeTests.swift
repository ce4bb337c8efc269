import TandemClient
import Testing
import Wire

/// How changes of one item in one turn become one.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ChangeSubscriptionMergeTests {
    typealias Kind = ChangeReport.Change.Kind

    struct Case: Sendable, CustomTestStringConvertible {
        let kinds: [Kind]
        let merged: Kind

        var testDescription: String { "\(kinds.map(\.rawValue)) is \(merged.rawValue)" }
    }

    nonisolated static let cases: [Case] = [
        Case(kinds: [.inserted, .updated], merged: .inserted), Case(kinds: [.inserted, .confirmed], merged: .inserted),
        Case(kinds: [.inserted, .removed], merged: .removed), Case(kinds: [.updated, .updated], merged: .updated),
        Case(kinds: [.updated, .confirmed], merged: .updated), Case(kinds: [.updated, .removed], merged: .removed),
        Case(kinds: [.updated, .inserted], merged: .updated), Case(kinds: [.removed, .inserted], merged: .updated),
        Case(kinds: [.removed, .updated], merged: .updated), Case(kinds: [.removed, .confirmed], merged: .removed),
        Case(kinds: [.removed, .removed], merged: .removed), Case(kinds: [.confirmed, .inserted], merged: .inserted),
        Case(kinds: [.confirmed, .updated], merged: .updated), Case(kinds: [.confirmed, .removed], merged: .removed),
        Case(kinds: [.confirmed, .confirmed], merged: .confirmed),
        Case(kinds: [.inserted, .inserted], merged: .inserted),
        Case(kinds: [.inserted, .updated, .removed, .inserted, .confirmed], merged: .updated),
    ]

    private func reports(of commits: (EventDaemon) throws -> Void) async throws -> [ChangeReport] {
        let fixture = SubscriptionFixture()
        let collector = BatchCollector(fixture)
        await collector.waitUntilConnected()
        try commits(fixture.daemon)
        for stream in fixture.daemon.streams.value { stream.waitUntilRead() }
        await collector.wait { $0.count == 2 }
        return collector.reports
    }

    @Test(arguments: cases)
    func changesOfOneItemAreOneWithItsNewestState(merge: Case) async throws {
        let reports = try await reports { daemon in
            for (index, kind) in merge.kinds.enumerated() {
                daemon.commit(kind, try makeItem("a", title: "\(index)", version: Int64(index)))
            }
        }
        #expect(reports.map { $0.changes.map(\.kind) } == [[merge.merged]])
        #expect(reports.first?.changes.first?.item[.title] == .string("\(merge.kinds.count - 1)"))
    }

    @Test func mergedChangeStandsInTheLastCommitOfItsItem() async throws {
        let reports = try await reports { daemon in
            daemon.commit(.inserted, try makeItem("a"))
            daemon.commit(.inserted, try makeItem("b"))
            daemon.commit(.updated, try makeItem("a"), isRemote: true)
        }
        #expect(reports.map(\.stamp) == [2, 3])
        #expect(reports.map { $0.changes.map(\.item.id.text) } == [["b"], ["a"]])
        #expect(reports.map(\.isRemote) == [false, true])
        #expect(reports.last?.changes.first?.kind == .inserted)
    }

    @Test func confirmationLeavesTheChangeWhereItIs() async throws {
        let reports = try await reports { daemon in
            daemon.commit(.inserted, try makeItem("a", version: 0))
            daemon.commit(.inserted, try makeItem("b"))
            daemon.commit(.confirmed, try makeItem("a", version: 9), fields: [], isRemote: true)
        }
        #expect(reports.map(\.stamp) == [1, 2])
        #expect(reports.first?.isRemote == false)
        #expect(reports.first?.changes.first?.item.version == Version(9))
        #expect(reports.first?.changes.first?.fields == [.title])
    }

    @Test func fieldsAreThoseOfAllChangesWhereAllAreKnown() async throws {
        let reports = try await reports { daemon in
            daemon.commit(.updated, try makeItem("a"), fields: [.title])
            daemon.commit(.updated, try makeItem("a"), fields: [.order, .title])
            daemon.commit(.updated, try makeItem("b"), fields: [.title])
            daemon.commit(.updated, try makeItem("b"), fields: [])
        }
        #expect(reports.map { $0.changes.map(\.fields) } == [[[.order, .title]], [[]]])
    }
}
