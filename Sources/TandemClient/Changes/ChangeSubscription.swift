package import Platform
public import TandemItems

/// Hears of every change that the daemon commits, on the main queue, in commit order.
///
/// There are two forms over one mechanism: a closure, which this object owns, and a stream, which its reader owns
/// (``batches(from:list:since:)``). Both get what has piled up since the turn before as one ``ChangeBatch``, so a
/// subscriber that is slow gets fewer and larger batches; where too much has piled up (4 096 items or 4 MiB of events)
/// it is told to reload. It never delays the daemon, nor another subscriber.
///
/// Nothing is told before it is committed. The first batch tells to read what is to be shown; whoever reads when told
/// to, and applies every report after it, is up to date. When the daemon goes, a batch says so; the subscription tries
/// again by itself, at the latest every ten seconds, and resumes behind the last change that it has heard of.
@MainActor
public final class ChangeSubscription {
    private let feed: ChangeFeed

    /// Calls a closure with each batch until ``end()`` or until this object goes, and not after it.
    ///
    /// - Parameters:
    ///   - connection: the way to the daemon.
    ///   - list: changes of this list only; of all where it is `nil`.
    ///   - stamp: the ``ChangeBatch/stamp`` of an earlier subscription, to resume from.
    ///   - onChange: kept until the end; where it belongs to the owner of this object, let it hold its owner weakly.
    public convenience init(
        _ connection: DaemonConnection, list: ListName? = nil, since stamp: Int64? = nil,
        onChange: @escaping @MainActor (ChangeBatch) -> Void
    ) {
        self.init(
            connection, list: list, since: stamp, time: SystemTime(), random: SystemRandom(), onChange: onChange)
    }

    package init(
        _ connection: DaemonConnection, list: ListName? = nil, since stamp: Int64? = nil, time: any TimeSource,
        random: any RandomSource, onChange: @escaping @MainActor (ChangeBatch) -> Void
    ) {
        feed = ChangeFeed(connection, list, since: stamp, time: time, random: random)
        let inbox = feed.inbox
        // It ends with the inbox, which ends with `feed`, which nothing else holds.
        Task { while let batch = await inbox.nextBatch() { onChange(batch) } }
    }

    /// Ends the subscription: the closure is not called again, and is let go.
    public func end() { feed.end() }

    /// The batches as a stream, for one reader. The subscription ends when the reading task is cancelled or the stream
    /// is dropped.
    ///
    /// A batch is made, on the main queue, when the reader asks for it: between two of its turns a reader misses
    /// nothing, and a slow one gets what has piled up in one piece.
    public nonisolated static func batches(
        from connection: DaemonConnection, list: ListName? = nil, since stamp: Int64? = nil
    ) -> AsyncStream<ChangeBatch> {
        batches(from: connection, list: list, since: stamp, time: SystemTime(), random: SystemRandom())
    }

    package nonisolated static func batches(
        from connection: DaemonConnection, list: ListName? = nil, since stamp: Int64? = nil, time: any TimeSource,
        random: any RandomSource
    ) -> AsyncStream<ChangeBatch> {
        let feed = ChangeFeed(connection, list, since: stamp, time: time, random: random)
        return AsyncStream {
            await feed.inbox.nextBatch()
        } onCancel: {
            feed.end()
        }
    }
}
