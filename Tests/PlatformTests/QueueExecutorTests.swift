import Dispatch
import Platform
import Testing

@Suite(.timeLimit(.minutes(5))) struct QueueExecutorTests {
    private actor Counter {
        private let executor: QueueExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var count = 0

        init(on executor: QueueExecutor = QueueExecutor(label: "counter")) {
            self.executor = executor
        }

        func increment() -> Int {
            // Read, a chance for another job to run between, write.
            let before = count
            for _ in 0..<100 { _ = executor.isIsolatingCurrentContext() }
            count = before + 1
            return count
        }

        func isOnItsQueue() -> Bool? {
            executor.checkIsolated()
            return executor.isIsolatingCurrentContext()
        }

        nonisolated func assumedCount() -> Int {
            assumeIsolated { $0.count }
        }

        func viaAssumption() -> Int { assumedCount() }

        /// Waits without giving its thread back, which a plain actor must never do.
        func block(_ entered: AsyncStream<Void>.Continuation, until released: DispatchSemaphore) {
            entered.yield()
            released.wait()
        }
    }

    @Test func jobsRunOneAtATime() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<1000 { group.addTask { _ = await counter.increment() } }
        }
        #expect(await counter.increment() == 1001)
    }

    @Test func actorIsIsolatedOnItsQueueAlone() async {
        let executor = QueueExecutor(label: "first")
        let counter = Counter(on: executor)
        #expect(await counter.isOnItsQueue() == true)
        #expect(await counter.viaAssumption() == 0)
        #expect(executor.isIsolatingCurrentContext() == false)
        #expect(QueueExecutor(label: "second").isIsolatingCurrentContext() == false)
    }

    /// More blocked actors than the cooperative pool has threads on a small machine.
    @Test func blockedActorsLeaveTheCooperativePoolFree() async {
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        let released = DispatchSemaphore(value: 0)
        await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { await Counter().block(entered, until: released) }
            }
            var blocked = 0
            for await _ in entries {
                blocked += 1
                if blocked == 16 { break }
            }
            #expect(await Task { blocked }.value == 16)
            for _ in 0..<16 { released.signal() }
        }
    }
}
