import Platform
import Replica
import Sync
import TandemItems
import Testing

/// A replica that syncs: store, model and driver, over a hub that may be shared with others.
struct DriverBench {
    let replica: ModelBench
    let driver: SyncDriver
    let time: ManualTime

    var hub: FaultyHub { replica.hub }
    var model: CoreModel { replica.model }

    init(_ replica: ModelBench, _ time: ManualTime, hubs: [String: FaultyHub]) {
        self.replica = replica
        self.time = time
        let usual = replica.hub
        driver = SyncDriver(model: replica.model, random: SeededRandom(seed: 1), time: time) { membership, _ in
            hubs[membership.address] ?? usual
        }
    }

    /// Returns once a condition holds; looks again whenever the store or the sync has news.
    func until(_ condition: () async throws -> Bool) async throws {
        let news = model.commits.subscribe()
        defer { model.commits.end(news) }
        while try await !condition() {
            guard await news.next() != nil else { throw CancellationError() }
        }
    }

    func until(_ state: SyncState) async throws { try await until { await driver.status.state == state } }

    /// Nothing is pending and everything is here.
    func untilSynced() async throws {
        try await until { try await isSynced }
    }

    /// Lets every wait after a failure end at once, until all is there.
    func untilSyncedThroughFailures() async throws {
        try await until {
            if await driver.status.state == .offline {
                await time.sleepers(atLeast: 1)
                time.advanceToNextSleeper()
            }
            return try await isSynced
        }
    }

    private var isSynced: Bool {
        get async throws {
            guard await driver.status.isCaughtUp else { return false }
            let (lists, hub) = (try await model.lists(), hub)
            return lists.allSatisfy { entry in
                entry.counts.pending == 0 && entry.list.cursor?.sequence == hub.head(of: entry.list.name)
            }
        }
    }

    func sync(_ timeout: Duration = .seconds(3_600)) async -> SyncDriver.SyncError? {
        do throws(SyncDriver.SyncError) {
            try await driver.sync(timeout: timeout)
            return nil
        } catch {
            return error
        }
    }
}

/// Runs a test's body beside a running driver, whose store has joined the hub, and ends the driver then.
func withDriver(
    _ hub: FaultyHub = FaultyHub(), seed: UInt64 = 21, isJoined: Bool = true, hubs: [String: FaultyHub] = [:],
    _ body: (DriverBench) async throws -> Void
) async throws {
    let replica = try ModelBench.memory(hub, seed: seed)
    if isJoined { try await replica.join() }
    let bench = DriverBench(replica, ManualTime(), hubs: hubs)
    let run = Task { try await bench.driver.run() }  // Ends below.
    let result: Result<Void, any Error>
    do { result = .success(try await body(bench)) } catch { result = .failure(error) }
    run.cancel()
    try await run.value
    #expect(bench.time.sleeperCount == 0)

    try result.get()
    try await replica.checkViews()
}
