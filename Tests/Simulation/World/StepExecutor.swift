/// Runs the jobs of one world's tasks in the order in which they became ready, on the thread that drains it, and on no
/// other: so the order of everything is the scheduler's.
///
/// Only the thread that runs the world may touch it; nothing in a world is resumed from elsewhere.
final class StepExecutor: TaskExecutor, @unchecked Sendable {
    private var ready: [UnownedJob] = []
    private var isDraining = false

    func enqueue(_ job: consuming ExecutorJob) {
        ready.append(UnownedJob(job))
    }

    /// Runs jobs until every task has ended or waits for the scheduler.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var next = 0
        while next < ready.count {
            unsafe ready[next].runSynchronously(on: unsafe asUnownedTaskExecutor())
            next += 1
        }
        ready.removeAll(keepingCapacity: true)
    }
}
