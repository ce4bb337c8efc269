import Platform
import TandemItems

/// One subscription's reader task and inbox. It ends, and the task with it, at ``end()`` or with its last reference.
final class ChangeFeed: Sendable {
    let inbox = ChangeInbox()
    private let task: Task<Void, Never>

    init(
        _ connection: DaemonConnection, _ list: ListName?, since stamp: Int64?, time: any TimeSource,
        random: any RandomSource
    ) {
        let reader = ChangeReader(connection, list, since: stamp, into: inbox, time: time, random: random)
        task = Task.detached {
            var reader = reader
            await reader.run()
        }
    }

    deinit { end() }

    func end() {
        inbox.end()
        task.cancel()
    }
}
