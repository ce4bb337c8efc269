import Platform
import Sync
import TandemItems

/// The same word every time.
struct FixedRandom: RandomSource {
    var word: UInt64 = 0

    func next() -> UInt64 { word }
}

typealias Action = SyncEngine.Action
typealias Event = SyncEngine.Event

extension SyncEngine {
    static func fixture(_ tuning: SyncTuning = SyncTuning(), random: UInt64 = 0) -> SyncEngine {
        SyncEngine(random: FixedRandom(word: random), tuning: tuning)
    }

    /// An engine that has joined and been greeted; `isLive` says whether its stream is open.
    static func online(
        _ standings: [Standing] = [.todo()], isLive: Bool = true, _ tuning: SyncTuning = SyncTuning()
    ) -> SyncEngine {
        var engine = fixture(tuning)
        _ = engine.play(.joined, .greeted(.success(standings)))
        if isLive { _ = engine.play(.streamOpened) }
        return engine
    }

    /// Plays events and gives all actions but those on timers, and but the ends of what is under way.
    mutating func play(_ events: Event...) -> [Action] {
        events.flatMap { handle($0) }.filter(\.isRequest)
    }

    /// Plays one event and gives its timers.
    mutating func timers(_ event: Event) -> [SyncEngine.Timer: Duration] {
        handle(event).reduce(into: [:]) { timers, action in
            switch action {
            case .start(let timer, let duration): timers[timer] = duration
            case .stop(let timer): timers[timer] = nil
            default: break
            }
        }
    }
}

extension SyncEngine.Action {
    var isRequest: Bool {
        switch self {
        case .start, .stop, .closeStream, .abandonRequests: false
        default: true
        }
    }
}

extension SyncEngine.Standing {
    static func todo(
        canPush: Bool = true, hasPending: Bool = false, cursor: Int64? = 5, head: Int64 = 5, list: ListName = .todo
    ) -> Self {
        Self(
            list: list, canPush: canPush, hasPending: hasPending, cursor: cursor.map { Version($0) },
            head: Version(head))
    }
}

extension HubError {
    static let cut = HubError(.unreachable, "cut")
    static let unauthorized = HubError(.unauthorized, "who are you")
    static let forbidden = HubError(.forbidden, "not yours")
    static let tooLarge = HubError(.tooLarge, "too large")
}

extension SyncEngine.Event {
    static let noAnswer = Event.greeted(.failure(.cut))

    static func hello(_ standings: SyncEngine.Standing...) -> Self { .greeted(.success(standings)) }

    static func pushed(hasPending: Bool = false, list: ListName = .todo) -> Self {
        .pushed(list, .success(.init(hasPending: hasPending)))
    }

    static func pulled(_ cursor: Int64, head: Int64, list: ListName = .todo) -> Self {
        .pulled(list, .success(.init(cursor: Version(cursor), head: Version(head))))
    }

    static func head(_ head: Int64, list: ListName = .todo) -> Self { .told(.head(list, Version(head))) }
}
